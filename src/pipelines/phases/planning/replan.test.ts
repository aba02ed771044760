import { describe, expect, it } from "vitest";
import { phase, plan } from "./plan.fixture.ts";
import { LOCAL, reachOf, withPhase } from "./replan.ts";

describe("a local replan", () => {
  const before = plan();
  const changed = plan({ phases: [phase(1, { objective: "other" }), phase(2)] });

  it("[P-51] may change the failed phase", () => {
    expect(reachOf(before, changed, 1)).toEqual([]);
    expect(reachOf(before, plan({ phases: [phase(1, { objective: "other" })] }), 1)).toEqual([]);
    const [first] = changed.phases;
    if (!first) throw new Error("the plan has two");
    expect(withPhase(before, first).phases.map(({ objective }) => objective)).toEqual(["other", "o"]);
  });

  it("[P-51] is local if it changes no other phase", () => {
    expect(LOCAL.judge({ reaches: [] }).passed).toBe(true);
    expect(LOCAL.judge({ reaches: [2] }).passed).toBe(false);
  });

  it("[P-51] is not local if another phase is changed, added or dropped", () => {
    expect(reachOf(before, changed, 2)).toEqual([1]);
    expect(reachOf(before, plan({ phases: [phase(1), phase(2), phase(3)] }), 1)).toEqual([3]);
    expect(reachOf(plan({ phases: [phase(1), phase(2), phase(3)] }), before, 1)).toEqual([3]);
  });
});
