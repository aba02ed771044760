import { expect, test } from "vitest";
import type { JournalRecord } from "../src/core/record.ts";
import type { Scenario } from "./support/answers/scenario.ts";
import { scenarios } from "./support/answers.ts";
import { type Stage, stage } from "./support/stage.ts";

const TURNS = 40;

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (_name, scenario) => {
  const s = await staged(scenario);
  const end = await toEnd(s, scenario);
  const records = await s.records();
  const finished = records.findLast((record) => record.type === "run.finished");
  expect({ ...end, reason: finished?.reason ?? "" }).toEqual({
    status: scenario.expect.status,
    exit: scenario.expect.exit,
    reason: expect.stringContaining(scenario.expect.reason ?? ""),
  });
  expect(lastDecisions(records)).toEqual(scenario.expect.gates);
  expect(commitsOf(records)).toBe(scenario.expect.commits);
});

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  "the same answers give the same path: %s",
  async (_name, scenario) => {
    const paths: string[][] = [];
    for (const _ of [1, 2]) {
      const s = await staged(scenario);
      await toEnd(s, scenario);
      paths.push((await s.records()).flatMap((record) => (record.type === "step.started" ? [record.key] : [])).sort());
    }
    expect(paths[0]).toEqual(paths[1]);
  },
);

const staged = ({ pipeline, perform, input, approvals, commands }: Scenario): Promise<Stage> =>
  stage({ pipeline, perform, order: { input, approvals, commands: [...commands] } });

/** Drives the run and answers what it asks until it has ended. */
async function toEnd(s: Stage, scenario: Scenario) {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const end = await s.drive();
    if (end.status !== "waiting" && end.status !== "paused") return end;
    const records = await s.records();
    const decided = new Set(records.flatMap((each) => (each.type === "approval.decided" ? [each.approval] : [])));
    for (const asked of records) {
      if (asked.type !== "approval.requested" || decided.has(asked.approval)) continue;
      const { approval, hash } = asked;
      if (asked.pause) await s.post({ kind: "resume", by: "person" });
      else await s.post({ kind: "answer", approval, hash, choice: scenario.answer(asked), by: "person" });
    }
  }
  throw new Error(`${scenario.name} did not end`);
}

/** Per gate, what its last evaluation decided: passed when every rule of it did. */
function lastDecisions(records: readonly JournalRecord[]): Record<string, boolean> {
  const byKey = new Map<string, { gate: string; passed: boolean }>();
  for (const record of records) {
    if (record.type !== "gate.evaluated") continue;
    const before = byKey.get(record.key)?.passed ?? true;
    byKey.set(record.key, { gate: record.gate, passed: before && record.passed });
  }
  return Object.fromEntries([...byKey.values()].map(({ gate, passed }) => [gate, passed]));
}

function commitsOf(records: readonly JournalRecord[]): number {
  const started = records.flatMap((each) => (each.type === "step.started" && each.verb === "commit" ? [each.key] : []));
  return records.filter((each) => each.type === "step.finished" && started.includes(each.key) && !each.failure).length;
}
