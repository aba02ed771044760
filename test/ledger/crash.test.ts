import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { begin, live, loadSources, memoryMemory, newOracle, type Scenario, toEnd } from "../crash/lives.ts";
import { mortal } from "../crash/mortal.ts";
import { paperWorld, RED } from "../support/answers/paper-world.ts";
import { COMMANDS, cast, takeFirst } from "../support/answers/scenario.ts";
import { approve, fails, pipeline, task } from "./paper.ts";

const sources = await loadSources(fileURLToPath(new URL("../../src", import.meta.url)));

/** A retry, a revised design, a replan and a second code review: everything that is counted. */
const play = cast({
  evaluator: () => ({ contract: {} }),
  researcher: ({ instance, attempt }) =>
    instance === "researcher-impact" && attempt === 1 ? fails() : { contract: { summary: "found" } },
  spec: () => ({ contract: {} }),
  designer: () => ({ contract: {} }),
  reviewer: ({ round }) => ({
    contract: { verdicts: { ...approve, ...(round === 1 && { security: "needs_revision" }) } },
  }),
  planner: () => ({ contract: { tasks: [task("greet"), task("shout")] } }),
  implementer: ({ task: id, round, input }: AttemptRequest) => {
    const mends = (input as { task: { id: string } }).task.id.endsWith("review-fix");
    const files = mends ? { "src/greet.ts": "fixed" } : { [`src/${id}.ts`]: round === 1 && id === "shout" ? RED : id };
    return { contract: {}, files };
  },
  verifier: () => ({ contract: {} }),
  knowledge: () => ({ contract: {} }),
});
const scenario: Scenario = {
  name: "everything that has a count",
  pipeline,
  input: { request: "Greet people by name" },
  approvals: "interactive",
  commands: COMMANDS,
  perform: paperWorld({ pipeline, base: {}, commands: COMMANDS, play }),
  answer: takeFirst,
};

/** Lists who was dispatched where, in which round, how often, and with which result, without interruptions. */
const counts = (records: readonly JournalRecord[]): string[] =>
  records
    .flatMap((each) =>
      each.type === "agent.finished" && each.outcome !== "interrupted"
        ? [`${each.key} round ${each.round} ${each.outcome}`]
        : [],
    )
    .sort();

async function runUninterrupted() {
  const memory = memoryMemory(sources);
  const host = memory.open();
  let appends = 0;
  const append: typeof host.journal.append = (lease, records) => {
    appends += 1;
    return host.journal.append(lease, records);
  };
  const counting = { ...host, journal: { ...host.journal, append } };
  const life = await live(sources, { host: counting, scenario, oracle: newOracle(), owner: "calm", adopts: false });
  const run = await begin(life, scenario);
  const status = await toEnd(counting, run, scenario);
  const records = await host.journal.load(run);
  return { status, appends, counts: counts(records), form: sources.toNormalForm(records) };
}

test("[L-28] a run killed at any journal write and resumed has the same steps, rounds and retries, and repeats no finished dispatch", async () => {
  const calm = await runUninterrupted();
  expect(calm.status).toBe("done");
  const impact = calm.counts.filter((line) => line.includes("impact"));
  expect(impact.map((line) => line.split(" ").at(-1))).toEqual(["done", "failed"]);
  for (const loop of ["3 Design/round-2", "5 Implement/round-2", "7 Code review/round-2"]) {
    expect(calm.counts.some((line) => line.startsWith(loop))).toBe(true);
  }
  expect(calm.appends).toBeGreaterThan(50);
  for (let k = 1; k < calm.appends; k += 3) {
    const { records, repeated } = await runKilledAfter(k);
    expect(repeated, `killed after write ${k}`).toEqual([]);
    expect(counts(records), `killed after write ${k}`).toEqual(calm.counts);
    expect(sources.toNormalForm(records), `killed after write ${k}`).toEqual(calm.form);
  }
}, 300_000);

async function runKilledAfter(k: number) {
  const memory = memoryMemory(sources);
  const oracle = newOracle();
  const starter = await live(sources, { host: memory.open(), scenario, oracle, owner: "starter", adopts: false });
  const run = await begin(starter, scenario);
  let died = (): void => {};
  const death = new Promise<void>((resolve) => {
    died = resolve;
  });
  const host = mortal(memory.open(), k, died);
  await live(sources, { host, scenario, oracle, owner: "first", adopts: false });
  await Promise.race([toEnd(host, run, scenario), death]);
  const after = memory.fork();
  const second = await live(sources, { host: after.open(), scenario, oracle, owner: "second", adopts: k % 2 === 0 });
  await toEnd(second.host, run, scenario);
  const records = await second.host.journal.load(run);
  const repeated = [...oracle.starts].filter(([, times]) => times > 1).map(([id]) => id);
  return { records, repeated };
}
