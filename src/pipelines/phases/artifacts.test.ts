import { describe, expect, it } from "vitest";
import { planText, readPlan } from "./artifacts.ts";
import { phase, plan, planned } from "./planning/plan.fixture.ts";

const PATH = "plans/mine.md";
const problems = (text: string | undefined) => {
  const read = readPlan(PATH, text);
  return "problems" in read ? read.problems : [];
};

describe("a plan file", () => {
  it("[P-58] is read back as it was written", () => {
    const whole = plan({ risks: [{ risk: "r", mitigation: "m" }] });
    expect(readPlan(PATH, planText(whole))).toEqual({ plan: whole });
  });

  it("[P-58] may be plain JSON", () => {
    expect(readPlan(PATH, JSON.stringify(planned()))).toEqual({ plan: plan() });
  });

  it("[P-58] is refused by name if it is missing or not data", () => {
    expect(problems(undefined)).toEqual(["plans/mine.md: expected a plan, found no file"]);
    expect(problems("just words")).toEqual([
      "plans/mine.md: expected a plan as YAML or JSON, found text that is neither",
    ]);
    expect(problems("{ broken")).toHaveLength(1);
  });

  it("[P-58] reports all problems at once: file, field, expected, found", () => {
    const wrong = planned({ complexity_tier: "HUGE", phases: [phase(1), phase(2, { wave: "two" })] });
    expect(problems(JSON.stringify(wrong))).toEqual([
      'plans/mine.md: phases[1].wave: expected number, found "two"',
      'plans/mine.md: complexity_tier: expected TRIVIAL | SMALL | MEDIUM | LARGE, found "HUGE"',
    ]);
  });

  it("[P-42] contains no code block", () => {
    expect(planText(plan())).not.toContain("```");
  });
});
