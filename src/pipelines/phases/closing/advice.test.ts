import { expect, test } from "vitest";
import type { PhaseResult } from "../acting/phase.ts";
import { createPhase, createPlan } from "../planning/plan.fixture.ts";
import type { ReviewVerdict } from "../review/code-review.ts";
import { listOpenAdvice } from "./advice.ts";

const [first] = createPlan({ phases: [createPhase(1)] }).phases;
const says = (issues: ReviewVerdict["issues"]): ReviewVerdict => ({
  status: "APPROVED",
  confidence: 0.9,
  issues,
  validated_blocking_issues: [],
});
const after = (...verdicts: readonly ReviewVerdict[]) => ({
  // Only these fields of a phase are read.
  done: new Map([[1, { phase: first, verdicts } as unknown as PhaseResult]]),
});

test("[P-24] advice names its severity first, whether it was validated, and its source", () => {
  const minor = { severity: "MINOR" as const, description: "a name\ncould be better", file: "src/1.ts" };
  const major = {
    severity: "MAJOR" as const,
    description: "dates are local",
    validation_status: "unvalidated" as const,
  };
  expect(listOpenAdvice(after(says([minor])), says([major]))).toEqual([
    "major, not validated: dates are local (final review)",
    "minor: a name could be better (src/1.ts, review of phase 1)",
  ]);
});

test("[P-24] settled, rejected and duplicate issues are not repeated", () => {
  const minor = { severity: "MINOR" as const, description: "a name could be better" };
  const rejected = { severity: "MAJOR" as const, description: "it leaks", validation_status: "rejected" as const };
  const settled = { severity: "MAJOR" as const, description: "it crashes", validation_status: "confirmed" as const };
  expect(listOpenAdvice(after(says([settled]), says([minor, rejected])), says([minor]))).toEqual([
    "minor: a name could be better (final review)",
  ]);
});
