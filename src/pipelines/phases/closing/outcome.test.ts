import { describe, expect, it } from "vitest";
import { formatFalsePositives } from "./outcome.ts";
import { formatOutcomeEntry } from "./outcome-entry.ts";

describe("a session outcome", () => {
  it("[P-78] contains all fields that later plans use", () => {
    const text = formatOutcomeEntry({
      plan: "plans/greet-plan.md",
      title: "Greet",
      date: "2026-01-02",
      tier: "MEDIUM",
      planned: 3,
      completed: 2,
      reviewers: { PlanAuditor: "APPROVED", CodeReviewer: "2 of 2 APPROVED" },
      iterations: "2/5",
      convergence: "Converged",
      status: "PARTIAL",
      falsePositives: "50 % (1 of 2)",
      lessons: ["part 2, build gate: fixable (test: failed)"],
    });
    expect(text.split("\n").filter((line) => line.startsWith("- "))).toEqual([
      "- Plan: plans/greet-plan.md",
      "- Date: 2026-01-02",
      "- Tier: MEDIUM",
      "- Phases: 2 of 3",
      "- Reviewers: PlanAuditor APPROVED, CodeReviewer 2 of 2 APPROVED",
      "- Iterations: 2/5",
      "- Convergence: Converged",
      "- Status: PARTIAL",
      "- CodeReviewer false-positive rate: 50 % (1 of 2)",
      "- Lessons: part 2, build gate: fixable (test: failed)",
    ]);
  });

  it("[P-78] counts the issues that the reviewer itself rejected", () => {
    const issue = (validation_status: "confirmed" | "rejected") => ({
      severity: "MAJOR" as const,
      description: "d",
      validation_status,
    });
    expect(
      formatFalsePositives([{ issues: [issue("rejected"), issue("confirmed")] }, { issues: [issue("confirmed")] }]),
    ).toBe("33 % (1 of 3)");
    expect(formatFalsePositives([{ issues: [] }])).toBe("no issues raised");
  });
});
