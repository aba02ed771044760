import { expect, test } from "vitest";
import type { JournalRecord } from "../src/core/journal/record.ts";
import { scenarios } from "./support/answers.ts";
import { playScenario } from "./support/play-scenario.ts";

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (_name, scenario) => {
  const { end, records } = await playScenario(scenario);
  const finished = records.findLast((record) => record.type === "run.finished");
  expect({ ...end, reason: finished?.reason ?? "" }).toEqual({
    status: scenario.expect.status,
    exit: scenario.expect.exit,
    reason: expect.stringContaining(scenario.expect.reason ?? ""),
  });
  expect(findLastDecisions(records)).toEqual(scenario.expect.gates);
  expect(countCommits(records)).toBe(scenario.expect.commits);
});

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  "the same answers produce the same path: %s",
  async (_name, scenario) => {
    const paths: string[][] = [];
    for (const _ of [1, 2]) {
      const { records } = await playScenario(scenario);
      paths.push(records.flatMap((record) => (record.type === "step.started" ? [record.key] : [])).sort());
    }
    expect(paths[0]).toEqual(paths[1]);
  },
);

/** Returns per gate the result of its last evaluation: passed if every rule passed. */
function findLastDecisions(records: readonly JournalRecord[]): Record<string, boolean> {
  const byKey = new Map<string, { gate: string; passed: boolean }>();
  for (const record of records) {
    if (record.type !== "gate.evaluated") continue;
    const before = byKey.get(record.key)?.passed ?? true;
    byKey.set(record.key, { gate: record.gate, passed: before && record.passed });
  }
  return Object.fromEntries([...byKey.values()].map(({ gate, passed }) => [gate, passed]));
}

function countCommits(records: readonly JournalRecord[]): number {
  const started = records.flatMap((each) => (each.type === "step.started" && each.verb === "commit" ? [each.key] : []));
  return records.filter((each) => each.type === "step.finished" && started.includes(each.key) && !each.failure).length;
}
