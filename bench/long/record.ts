import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadOwnPipelines } from "../../src/cli/pipelines/pipelines.ts";
import { resolvePlaces } from "../../src/cli/project/repository.ts";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { writeStartNotes } from "../../src/cli/start/start-notes.ts";
import { guardModules, hashBytes } from "../../src/cli/trust/guard-modules.ts";
import { getOwnFolders } from "../../src/cli/trust/own-modules.ts";
import type { Effect } from "../../src/core/journal/effect.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createSqliteHost } from "../../src/hosts/sqlite/host.ts";

const PIPELINE = fileURLToPath(new URL("./pipeline.ts", import.meta.url));
const USAGE = { inputTokens: 1_000, outputTokens: 200, usd: 0.01 };
/** Every n-th agent fails at first, and every n-th check fails. */
const FAILS = 40;

// Records a run of that many tasks in the repository, up to its open question, with nothing really done. In a process
// of its own: one process loads the pipelines of one repository.
//   record.ts REPOSITORY TASKS
const [repo = "", tasks = ""] = process.argv.slice(2);
await recordLongRun(repo, Number(tasks));

async function recordLongRun(repo: string, tasks: number): Promise<void> {
  const folder = join(repo, ".signalbox", "pipelines");
  mkdirSync(folder, { recursive: true });
  cpSync(PIPELINE, join(folder, "long.ts"));
  const file = join(folder, "long.ts");
  const prints = new Map([[file, hashBytes(readFileSync(file))]]);
  const own = getOwnFolders({ pipelines: folder, drivers: join(repo, ".signalbox", "drivers") });
  guardModules([own.pipelines], prints);
  const {
    all: [known],
  } = await loadOwnPipelines(own.pipelines, ["long.ts"]);
  const world = createRealWorld();
  const host = createSqliteHost({ file: join(repo, ".signalbox", "signalbox.db"), world });
  const performer = { perform: performPretended, recover: performPretended };
  const engine = createEngine({
    host,
    world,
    pipelines: () => known?.pipeline,
    performer,
    owner: `bench-${world.newId()}`,
    waits: false,
    patient: false,
  });
  await host.serve(engine.handlers);
  const run = await engine.start({
    pipeline: "long",
    input: { tasks },
    repo,
    base: { commit: "c", tree: "t" },
    approvals: "interactive",
    commands: [{ name: "test", run: "npm test" }],
    limits: {},
    minConfidence: "low",
  });
  const { status } = await host.drive(run);
  await host.close();
  if (status !== "waiting") throw new Error(`the long run is ${status}`);
  await writeStartNotes(await resolvePlaces(repo), run, { agents: { agent: [] } });
}

/** Kinds and results belong together, which the types of one function cannot express. */
async function performPretended(effect: unknown): Promise<never> {
  return createResult(effect as Effect) as never;
}

function createResult({ id, kind, request }: Effect): unknown {
  if (kind === "attempt") return createAttemptResult(id, request);
  if (kind === "check") return request.commands.map((command) => createCheckResults(request.tree, command));
  throw new Error(`unexpected effect in the long run: ${kind}`);
}

function createAttemptResult(id: string, { task, attempt }: Extract<Effect, { kind: "attempt" }>["request"]) {
  // Every other agent reports no cost, so the engine estimates it from the reported ones.
  const silent = Number.parseInt(digest(id).slice(-1), 16) % 2 === 0;
  const about = { ms: 1_200, by: "scripted", ...(silent ? {} : { usage: USAGE }) };
  if (attempt === 1 && digest(id).startsWith("0")) {
    const failure = { class: "transient", code: "agent_crashed", message: "the agent's program died" };
    return { outcome: "failed", failure, ...about };
  }
  const changed = [`src/${task}.ts`];
  return { outcome: "done", contract: { summary: `did ${task}` }, after: digest(id), changed, outside: [], ...about };
}

function createCheckResults(tree: string, { name, run }: { readonly name: string; readonly run: string }) {
  const exitCode = Number.parseInt(tree.slice(0, 4), 16) % FAILS === 0 ? 1 : 0;
  return { name, command: run, exitCode, ms: 900, digest: digest(tree), snippet: "ok 1\n".repeat(40) };
}

function digest(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
