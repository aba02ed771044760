import { expect, test } from "vitest";
import { buildCostReport } from "./cost.ts";
import type { AttemptLine, DispatchRow, Money } from "./page.ts";

const money = (known: number, assumed = 0, unknown = 0): Money => ({
  ...{ known, assumed, reserved: 0, counted: known + assumed, unknown, open: 0 },
});

function attempt(by: string | null, usd: number | null, because = ""): AttemptLine {
  const tokens = { inputTokens: usd === null ? null : 100, outputTokens: usd === null ? null : 10 };
  const about = { attempt: 1, effect: "e", state: "answered", because, startedAt: 0, ms: 1, tree: null } as const;
  return { ...about, by, usd, ...tokens };
}

function dispatch(role: string, phase: string, cost: Money, attempts: readonly AttemptLine[]): DispatchRow {
  const about = { kind: "dispatch", id: role, seq: 1, state: "answered", key: role, who: role, instance: "" } as const;
  const work = { task: "", round: 1, startedAt: 0, ms: 1, changed: [], outside: [], claim: null, contradictedBy: [] };
  return { ...about, ...work, role, phase, cost, attempts };
}

const rows = [
  dispatch("writer", "1 Write", money(2), [attempt("claude:opus", 2)]),
  dispatch("reviewer", "2 Review", money(1), [attempt(null, null, "timeout: too slow"), attempt("codex", 1)]),
  dispatch("tester", "2 Review", money(0, 0.25, 1), [attempt("claude:opus", null)]),
];

test("each breakdown of a cost adds up to the same total, most expensive first", () => {
  const { total, silent: _, ...ways } = buildCostReport({ rows });
  expect(total).toEqual(money(3, 0.25, 1));
  for (const lines of Object.values(ways)) {
    expect(lines.reduce((sum, { money: { counted } }) => sum + counted, 0)).toBe(total.counted);
    expect(lines.reduce((sum, { dispatches }) => sum + dispatches, 0)).toBe(4);
  }
  expect(ways.byPhase.map(({ name }) => name)).toEqual(["1 Write", "2 Review"]);
  expect(ways.byAgent.map(({ name, dispatches }) => [name, dispatches])).toEqual([
    ["claude", 2],
    ["codex", 2],
  ]);
  expect(ways.byModel.map(({ name }) => name)).toEqual(["opus", "not reported"]);
  expect(ways.byRole[0]).toEqual({ name: "writer", dispatches: 1, money: money(2), input: 100, output: 10, silent: 0 });
  expect(ways.byRole.map(({ name, silent }) => [name, silent])).toEqual([
    ["writer", 0],
    ["reviewer", 1],
    ["tester", 1],
  ]);
});

test("a dispatch without a reported cost is listed with the amount assumed for it", () => {
  expect(buildCostReport({ rows }).silent).toEqual([
    { who: "tester", phase: "2 Review", assumedUsd: 0.25, why: "the agent does not report its cost" },
  ]);
});
