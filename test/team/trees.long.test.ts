import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { collectCheckoutFiles } from "../../src/cli/runs/checkout-files.ts";
import { assembleInput } from "../../src/cli/start/input.ts";
import { listExcludes } from "../../src/core/authoring/pipeline.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Workspace } from "../../src/core/ports/workspace.ts";
import { toNormalForm } from "../../src/core/text/normal-form.ts";
import type { ScriptRule } from "../../src/drivers/scripted/script.ts";
import { createScriptedDriver } from "../../src/drivers/scripted/scripted-driver.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createExecutor, type Executor } from "../../src/engine/execute/executor.ts";
import { createMemoryHost } from "../../src/hosts/memory/host.ts";
import { BUILT_IN } from "../../src/pipelines/index.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";
import { GIT_ENVIRONMENT } from "../ledger/repository.ts";
import { stillWorld } from "../support/real-run.ts";
import { world as clusters } from "../worlds/clusters.ts";
import { world as ledger } from "../worlds/ledger.ts";
import { world as phases } from "../worlds/phases.ts";
import { world as roadmap } from "../worlds/roadmap.ts";
import { world as task } from "../worlds/task.ts";
import { world as ticket } from "../worlds/ticket.ts";
import type { RealWorld } from "../worlds/world.ts";

describe.each([task, roadmap, phases, ledger, clusters, ticket])("the pipeline $pipeline", (world) => {
  test("takes the same path with agents, checks and commits on three clones as in one repository", async () => {
    const alone = await runOn(world, "alone");
    const shared = await runOn(world, "team");
    expect(shared.status, shared.reason).toBe(world.ends.status);
    expect(normalizeJournal(shared.records)).toEqual(normalizeJournal(alone.records));
    expect(shared.files).toEqual(alone.files);
    expect(shared.checkout).toEqual(alone.checkout);
  }, 240_000);
});

type TreesRun = {
  readonly status: string;
  readonly reason: string;
  readonly records: readonly JournalRecord[];
  /** Files of the commit: every name, and the content of those that are equal in each run. */
  readonly files: readonly string[];
  /** The run's changes to the person's checkout. */
  readonly checkout: readonly string[];
};

/** In a team the person only starts and lands the run; two clones run the agents, a third owns the run. */
async function runOn(world: RealWorld, how: "alone" | "team"): Promise<TreesRun> {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-trees-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const at = (name: string) => join(dir, name);
  begin(dir, world);
  const remote = how === "team" ? { remote: "origin" } : {};
  const open = (name: string) => gitWorkspace({ repo: clone(dir, name), cache: at(`${name}-cache`), ...remote });
  const person = await open("person");
  const parts = await loadEngineInputs(world);
  const executor = (name: string, workspace: Workspace) =>
    createExecutor({ ...parts, workspace, cache: at(`${name}-cache`), runs: at(`${name}-runs`) });
  const own = executor("person", person);
  const workers =
    how === "alone"
      ? []
      : await Promise.all(["a", "b", "owner"].map(async (name) => executor(name, await createWorker(dir, name, open))));
  const host = createMemoryHost({ world: parts.world });
  const performer = workers.length === 0 ? own : distributeEffects(workers);
  const engine = createEngine({ host, ...parts, performer, owner: "the test", waits: false, patient: false });
  await host.serve(engine.handlers);
  const run = await engine.start({ ...(await createOrder(world, person)), repo: dir });
  const { status } = await host.drive(run);
  await Promise.all([own, ...workers].map(({ settled }) => settled()));
  const records = await host.journal.load(run);
  const wrote = await collectCheckoutFiles({ host, world: parts.world }, run);
  await host.close();
  const ended = records.findLast((record) => record.type === "run.finished");
  if (ended?.commit !== undefined)
    await person.land({ run, commit: ended.commit, date: 0, kept: ["roadmap.json"], others: "all", files: wrote });
  const files = ended?.commit === undefined ? [] : listCommittedFiles(at("person"), ended.commit, world);
  const reason = records.findLast((record) => record.type === "run.suspended")?.reason ?? "";
  return {
    status,
    reason,
    records,
    files: files.map((row) => row.replaceAll(run, "RUN")),
    checkout: listCheckoutFiles(at("person"), run),
  };
}

/** The last worker owns the run; agents run on the workers in turn. */
function distributeEffects(workers: readonly Executor[]): Executor {
  const owner = workers.at(-1);
  if (!owner) throw new Error("somebody owns a run");
  let turn = 0;
  const perform: Executor["perform"] = (effect, signal) => {
    const [one = owner, other = owner] = workers;
    const chosen = effect.kind !== "attempt" ? owner : turn++ % 2 === 0 ? one : other;
    return chosen.perform(effect, signal);
  };
  return { ...owner, perform };
}

async function loadEngineInputs({ pipeline: name, agents }: RealWorld) {
  const world = stillWorld();
  const pipeline = await BUILT_IN[name]?.();
  if (!pipeline) throw new Error(`there is no pipeline ${name}`);
  // A scripted-agents file has such rules.
  const driver = createScriptedDriver({ file: "the test", agents: agents as unknown as readonly ScriptRule[] });
  return {
    world,
    // Limits and waits of real processes need a running clock.
    processes: createSupervisor({ world: createRealWorld({}), graceMs: 200 }),
    definitions: { define: async () => ({ prompt: "Play your part.", driver, from: "the test" }) },
    pipelines: () => pipeline,
    pipeline,
  };
}

async function createOrder(world: RealWorld, person: Workspace) {
  const { pipeline } = await loadEngineInputs(world);
  const inputs = world.args.flatMap((arg, at) => (world.args[at - 1] === "--input" ? [arg] : []));
  const [request] = world.args.filter((arg, at) => arg !== "--input" && world.args[at - 1] !== "--input");
  const base = await person.head();
  const { commands = {} } = parse(world.config) as { readonly commands?: Readonly<Record<string, string>> };
  const input = await assembleInput(pipeline, { input: inputs, ...(request === undefined ? {} : { request }) });
  return {
    pipeline: world.pipeline,
    input,
    base: { commit: base.commit, tree: base.tree },
    approvals: "autonomous" as const,
    commands: Object.entries(commands).map(([name, line]) => ({ name, run: line })),
    limits: {},
    minConfidence: "low" as const,
    before: (run: string) =>
      person.begin(run, {
        commit: base.commit,
        books: [".signalbox/memory", ".signalbox/iterations", ...listExcludes(pipeline, input)],
      }),
  };
}

/** The worker's own checkout differs: another branch, one file less and one more. */
async function createWorker(dir: string, name: string, open: (name: string) => Promise<Workspace>): Promise<Workspace> {
  const workspace = await open(name);
  const repo = join(dir, name);
  git(repo, "checkout", "-q", "--orphan", "elsewhere");
  git(repo, "rm", "-rqf", ".");
  writeFileSync(join(repo, "mine.txt"), "mine\n");
  git(repo, "add", "mine.txt");
  git(repo, "commit", "-qm", "something else");
  writeFileSync(join(repo, "roadmap.json"), "not mine to see");
  return workspace;
}

function begin(dir: string, world: RealWorld): void {
  const first = join(dir, "first");
  for (const [path, text] of Object.entries({ ...world.files, ".signalbox/config.yaml": world.config })) {
    mkdirSync(dirname(join(first, path)), { recursive: true });
    writeFileSync(join(first, path), text);
  }
  git(first, "init", "-q", "-b", "main");
  git(first, "add", "--all", "--force");
  git(first, "commit", "-qm", "begin");
  git(dir, "clone", "-q", "--bare", "first", "shared.git");
}

function clone(dir: string, name: string): string {
  git(dir, "clone", "-q", "shared.git", name);
  writeFileSync(join(dir, name, ".git/info/exclude"), "/prompts/\n/docs/docs_cache_state.yaml\n/.signalbox/*\n");
  return join(dir, name);
}

function listCommittedFiles(repo: string, commit: string, { keeps }: RealWorld): readonly string[] {
  const rows = git(repo, "ls-tree", "-r", commit).split("\n");
  return rows.map((row) => (keeps.some((path) => row.endsWith(`\t${path}`)) ? row : row.slice(row.indexOf("\t"))));
}

/** Lists the names in the checkout, without the run's own name and dates. */
function listCheckoutFiles(repo: string, run: string): readonly string[] {
  const paths = readdirSync(repo, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => !path.startsWith(".git/"))
    .map((path) => path.replaceAll(run, "RUN"))
    .sort();
}

/** Removes what depends on a test program's clock or a commit's id, which differs because of its anchor. */
function normalizeJournal(records: readonly JournalRecord[]): readonly string[] {
  return toNormalForm(records).map((text) =>
    text.replace(/[\d.]+ms\b|duration_ms [\d.]+/g, "TIME").replace(/"hash":"[0-9a-f]{64}"/g, '"hash":"HASH"'),
  );
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd, env: GIT_ENVIRONMENT, encoding: "utf8" }).trim();
}
