import { describe, expect, it } from "vitest";
import { formatPlan, readPlan } from "./artifacts.ts";
import { createPhase, createPlan, createProposal } from "./planning/plan.fixture.ts";

const PATH = "plans/mine.md";
const problems = (text: string | undefined) => {
  const read = readPlan(PATH, text);
  return "problems" in read ? read.problems : [];
};

describe("a plan file", () => {
  it("[P-58] is read back as it was written", () => {
    const whole = createPlan({ risks: [{ risk: "r", mitigation: "m" }] });
    expect(readPlan(PATH, formatPlan(whole))).toEqual({ plan: whole });
  });

  it("[P-58] may be plain JSON", () => {
    expect(readPlan(PATH, JSON.stringify(createProposal()))).toEqual({ plan: createPlan() });
  });

  it("[P-58] is refused by name if it is missing or not data", () => {
    expect(problems(undefined)).toEqual(["plans/mine.md: expected a plan, found no file"]);
    expect(problems("just words")).toEqual([
      "plans/mine.md: expected a plan as YAML or JSON, found text that is neither",
    ]);
    expect(problems("{ broken")).toHaveLength(1);
  });

  it("[P-58] reports all problems at once: file, field, expected, found", () => {
    const wrong = createProposal({
      complexity_tier: "HUGE",
      phases: [createPhase(1), createPhase(2, { wave: "two" })],
    });
    expect(problems(JSON.stringify(wrong))).toEqual([
      'plans/mine.md: phases[1].wave: expected number, found "two"',
      'plans/mine.md: complexity_tier: expected TRIVIAL | SMALL | MEDIUM | LARGE, found "HUGE"',
    ]);
  });

  it("[P-42] contains no code block", () => {
    expect(formatPlan(createPlan())).not.toContain("```");
  });
});
