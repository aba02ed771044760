import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import type { Command } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Host } from "../../src/core/ports/host.ts";
import type { World } from "../../src/core/ports/world.ts";
import type { ScriptRule } from "../../src/drivers/scripted/script.ts";
import { createScriptedDriver } from "../../src/drivers/scripted/scripted-driver.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createExecutor } from "../../src/engine/execute/executor.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";

/** All inputs of a run except its host: two runs of one part differ only by host. */
export type Part = {
  readonly pipeline: Pipeline;
  readonly input: unknown;
  readonly files: Readonly<Record<string, string>>;
  readonly agents: readonly ScriptRule[];
  readonly commands: readonly Command[];
};

export type Played = {
  readonly status: string;
  /** Number of times the run was suspended and a person answered. */
  readonly answers: number;
  readonly records: readonly JournalRecord[];
  /** The tree of the commit on the run's branch; empty if there is none. */
  readonly tree: string;
  readonly message: string;
};

/** Opens a handle on one store, the same at each call, in one process or in the next. */
export type OpenHost = (dir: string) => Promise<Host>;

/** Runs a part with a real repository, agent processes, checks and commits; questions are answered from outside. */
export async function playOn(open: OpenHost, part: Part): Promise<Played> {
  const dir = await mkdtemp(join(tmpdir(), "signalbox-real-"));
  const host = await open(dir);
  let settled = async () => {};
  try {
    const repo = await createRepository(dir, part.files);
    const engine = await openEngine(host, { dir, repo, part });
    settled = engine.settled;
    const run = await engine.start();
    let answers = 0;
    let { status } = await host.drive(run);
    for (; status === "waiting"; { status } = await host.drive(run)) {
      await answerFromOutside(() => open(dir), run);
      answers += 1;
    }
    const branch = `refs/heads/signalbox/${run}`;
    const told = (field: string) => git(repo, "for-each-ref", `--format=%(${field})`, branch);
    const records = await host.journal.load(run);
    return { status, answers, records, tree: told("tree"), message: told("contents") };
  } finally {
    await host.close();
    await settled();
    await rm(dir, { recursive: true, force: true });
  }
}

async function openEngine(host: Host, at: { dir: string; repo: string; part: Part }) {
  const { pipeline, input, agents, commands } = at.part;
  const world = stillWorld();
  const workspace = await gitWorkspace({ repo: at.repo, cache: join(at.dir, "cache") });
  const driver = createScriptedDriver({ file: "the test", agents });
  const findPipeline = (name: string) => (name === pipeline.name ? pipeline : undefined);
  const performer = createExecutor({
    workspace,
    // Limits and waits of real processes need a running clock.
    processes: createSupervisor({ world: createRealWorld(), graceMs: 200 }),
    definitions: { define: async () => ({ prompt: "Play your part.", driver, from: "the test" }) },
    world,
    pipelines: findPipeline,
    cache: join(at.dir, "cache"),
    runs: join(at.dir, "runs"),
  });
  const engine = createEngine({
    host,
    world,
    pipelines: findPipeline,
    performer: performer,
    owner: `test on ${host.name}`,
    waits: false,
    patient: false,
  });
  await host.serve(engine.handlers);
  const base = await workspace.head();
  const order = { pipeline: pipeline.name, input, repo: at.repo, base, commands };
  return {
    start: () => engine.start({ ...order, approvals: "interactive", limits: {}, minConfidence: "low" }),
    settled: performer.settled,
  };
}

const START = Date.UTC(2030, 0, 1);

/** Sequential ids and a stopped clock: a run has the same id everywhere. */
export function stillWorld(): World {
  const world = createRealWorld();
  let asked = 0;
  return { ...world, now: () => START, newId: () => world.hash(`id ${asked++}`) };
}

/** Opens another handle on the same store, as another process would. */
async function answerFromOutside(open: () => Promise<Host>, run: string): Promise<void> {
  const outside = await open();
  try {
    const records = await outside.journal.load(run);
    const decided = new Set(records.flatMap((each) => (each.type === "approval.decided" ? [each.approval] : [])));
    for (const asked of records) {
      if (asked.type !== "approval.requested" || decided.has(asked.approval)) continue;
      const { approval, hash, choices } = asked;
      await outside.inbox.post(run, { kind: "answer", approval, hash, choice: choices[0] ?? "", by: "Ada" });
    }
  } finally {
    await outside.close();
  }
}

async function createRepository(dir: string, files: Part["files"]): Promise<string> {
  const repo = join(dir, "repo");
  await mkdir(repo);
  git(repo, "init", "-q", "-b", "main");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(repo, path)), { recursive: true });
    await writeFile(join(repo, path), text);
  }
  git(repo, "add", "--all");
  git(repo, "commit", "-qm", "begin");
  return repo;
}

/** The same author and time everywhere: equal files give equal commits. */
const IDENTITY = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Ada"],
    [`GIT_${who}_EMAIL`, "ada@example.org"],
    [`GIT_${who}_DATE`, "2030-01-01T00:00:00Z"],
  ]),
);

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", ...IDENTITY };
  return execFileSync("git", args, { cwd, env, encoding: "utf8" }).trim();
}
