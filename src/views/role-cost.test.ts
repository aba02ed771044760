import { expect, test } from "vitest";
import type { AttemptView } from "./attempts.ts";
import { formatCost, sumCostByRole } from "./role-cost.ts";

type Usage = { usd?: number; inputTokens?: number; outputTokens?: number };

const tried = (role: string, usage: Usage): AttemptView => {
  const place = {
    key: role,
    role,
    instance: "",
    round: 1,
    attempt: 1,
    v: 1 as const,
    seq: 1,
    ts: 0,
    run: "r",
    chain: "",
  };
  return {
    phase: "1",
    started: { type: "agent.started", effect: "e", nonce: "n", ...place },
    finished: { type: "agent.finished", outcome: "done", ms: 1_000, usage, ...place },
  };
};

test("the cost of a role includes how much of it is unknown", () => {
  const roles = sumCostByRole({
    attempts: [
      tried("planner", { usd: 0.01 }),
      tried("implementer", { inputTokens: 1_204, outputTokens: 300 }),
      tried("implementer", { inputTokens: 10, outputTokens: 18, usd: 0.5 }),
    ],
  });
  expect(roles.map(({ role, dispatches }) => [role, dispatches])).toEqual([
    ["implementer", 2],
    ["planner", 1],
  ]);
  expect(roles.map(formatCost)).toEqual(["$0.50 known, 1 dispatch unknown · 1,214 tokens in, 318 out", "$0.01"]);
});

test("unknown costs do not look like zero", () => {
  const none = { usd: 0, inputTokens: 0, outputTokens: 0 };
  expect(formatCost({ ...none, usdUnknown: 3 })).toBe("cost of 3 dispatches unknown");
  expect(formatCost({ ...none, usdUnknown: 0 })).toBe("");
  expect(formatCost({ ...none, usd: 0.01, usdUnknown: 3 })).toBe("$0.01 known, 3 dispatches unknown");
});
