import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { definePipeline, type Pipeline } from "../../src/core/authoring/pipeline.ts";
import { once } from "../../src/core/authoring/retry.ts";
import { defineRole } from "../../src/core/authoring/role.ts";
import { sqlRule } from "../../src/core/authoring/rule.ts";
import type { Host } from "../../src/core/ports/host.ts";
import type { Executor } from "../../src/engine/execute/executor.ts";
import { createDbosHost } from "../../src/hosts/dbos/host.ts";
import { createSqliteHost } from "../../src/hosts/sqlite/host.ts";
import { getOwnerName } from "../../src/hosts/sqlite/owner.ts";
import { scriptedEngine } from "../support/scripted-run.ts";

/**
 * One engine process on a real repository with real agent processes: it starts the run or resumes it, drives it to its
 * end and exits with its code. Designed to be killed.
 */
const { values } = parseArgs({
  options: {
    dir: { type: "string", default: "." },
    url: { type: "string" },
    /** `commit:during`: this process kills itself at the first effect of that kind, at that moment. */
    die: { type: "string" },
    /** Milliseconds; with it the process waits for a run that another engine owns. */
    lease: { type: "string" },
    check: { type: "string", default: "test -f x.txt || test ! -f y.txt" },
  },
});
const dir = values.dir;

const reader = defineRole({ name: "reader", does: "reads", contract: z.object({ found: z.string() }) });
const writer = defineRole({ name: "writer", does: "writes", contract: z.object({ did: z.string() }), writes: true });
const green = sqlRule({
  id: "K-1",
  because: "the check passed on the merged tree",
  sql: "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run AND tree = :tree AND passed = 1",
  need: 1,
});

const doomed = definePipeline(
  {
    name: "doomed",
    about: "reads, writes side by side, checks, commits",
    version: 1,
    input: z.unknown(),
    dialect: "completion",
    phases: [{ title: "1 Read", roles: [reader] }, { title: "2 Write", roles: [writer] }, { title: "3 Land" }],
    cap: 3,
    retry: once(),
  },
  async ({ phase, see, parallel, agent, write, merge, check, gate, commit }) => {
    phase("1 Read");
    const head = await see("head");
    await parallel(["a", "b"], (focus) => agent(reader, { focus }), { atLeast: 1 });
    phase("2 Write");
    const trees = await parallel(["x", "y", "z"], (part) =>
      agent(writer, { part }, { in: head, writes: [`${part}.txt`] }),
    );
    const merged = await merge(
      head,
      trees.flatMap((each) => (each ? [each.after] : [])),
    );
    if (!merged.clean) return { status: "error", reason: merged.conflicts.join() };
    await check(merged.tree, { baseline: head });
    const decision = await gate("green", [green], { tree: merged.tree.tree });
    phase("3 Land");
    await write("report.md", "three parts\n");
    await commit(merged.tree, { message: "feat: three parts", because: [decision] });
    return { status: "done" };
  },
);

const world = createRealWorld({});
const host: Host = values.url
  ? await createDbosHost({ url: values.url, world, leaseMs: 1_500 })
  : createSqliteHost({
      file: join(dir, "signalbox.db"),
      world,
      ...(values.lease === undefined ? {} : { leaseMs: Number(values.lease) }),
    });
const [kind, moment] = values.die?.split(":") ?? [];
const die = () => process.kill(process.pid, "SIGKILL");
const around = (performer: Executor): Executor => ({
  ...performer,
  async perform(effect, signal) {
    if (effect.kind !== kind) return performer.perform(effect, signal);
    if (moment === "before") die();
    if (moment === "during") setTimeout(die, effect.kind === "attempt" || effect.kind === "check" ? 50 : 2);
    const result = await performer.perform(effect, signal);
    if (moment === "after") die();
    return result;
  },
});
const agents = readFileSync(join(dir, "agents.yaml"), "utf8");
const how = { owner: getOwnerName(), patient: (values.url ?? values.lease) !== undefined };
const engine = await scriptedEngine({ dir, pipeline: doomed as Pipeline, host, agents, around, engine: how });
const known = (await host.runs.list())[0];
const base = await engine.base();
const run =
  known?.id ??
  (await engine.start({
    pipeline: "doomed",
    input: {},
    repo: "repo",
    base,
    approvals: "autonomous",
    commands: [{ name: "files", run: values.check }],
    limits: {},
    minConfidence: "low",
  }));
const result = await host.drive(run);
console.log(JSON.stringify({ run, ...result }));
await engine.close();
process.exit(result.exit);
