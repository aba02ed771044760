import { describe, expect, it } from "vitest";
import { createPhase, createPlan } from "./plan.fixture.ts";
import { LOCAL_REPLAN_RULE, listAffectedPhases, replacePhase } from "./replan.ts";

describe("a local replan", () => {
  const before = createPlan();
  const changed = createPlan({ phases: [createPhase(1, { objective: "other" }), createPhase(2)] });

  it("[P-51] may change the failed phase", () => {
    expect(listAffectedPhases(before, changed, 1)).toEqual([]);
    expect(listAffectedPhases(before, createPlan({ phases: [createPhase(1, { objective: "other" })] }), 1)).toEqual([]);
    const [first] = changed.phases;
    if (!first) throw new Error("the plan has two");
    expect(replacePhase(before, first).phases.map(({ objective }) => objective)).toEqual(["other", "o"]);
  });

  it("[P-51] is local if it changes no other phase", () => {
    expect(LOCAL_REPLAN_RULE.judge({ reaches: [] }).passed).toBe(true);
    expect(LOCAL_REPLAN_RULE.judge({ reaches: [2] }).passed).toBe(false);
  });

  it("[P-51] is not local if another phase is changed, added or dropped", () => {
    expect(listAffectedPhases(before, changed, 2)).toEqual([1]);
    expect(
      listAffectedPhases(before, createPlan({ phases: [createPhase(1), createPhase(2), createPhase(3)] }), 1),
    ).toEqual([3]);
    expect(
      listAffectedPhases(createPlan({ phases: [createPhase(1), createPhase(2), createPhase(3)] }), before, 1),
    ).toEqual([3]);
  });
});
