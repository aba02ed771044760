import { expect, test } from "vitest";
import { createPhase } from "../planning/plan.fixture.ts";
import { Phase } from "../planning/plan.ts";
import type { ReviewVerdict } from "../review/code-review.ts";
import { formatGateLines } from "./gate-lines.ts";

const verdict: ReviewVerdict = { status: "APPROVED", confidence: 1, issues: [], validated_blocking_issues: [] };
const unheard: ReviewVerdict = { ...verdict, status: "NOT_REVIEWED", accepted_by: "Ada" };
const done = (...verdicts: readonly ReviewVerdict[]) => ({
  // Only the title and the verdicts are read.
  done: new Map(
    verdicts.map((each, at) => [at + 1, { phase: Phase.parse(createPhase(at + 1)), verdicts: [each] } as never]),
  ),
});
const checks = (["build", "tamper"] as const).map((name) => ({
  name,
  passed: true,
  outcome: "passed" as const,
  exitCode: 0,
  snippet: "",
}));

test("a commit names the project's own checks and the reviews that it passed", () => {
  expect(formatGateLines({ progress: done(verdict, verdict), evidence: { checks }, final: verdict })).toEqual([
    "build passed",
    "code review passed",
    "final review passed",
  ]);
});

test("what a person accepted is stated with their name", () => {
  const overruled = { by: "Ada", findings: ["a file is missing"] };
  const evidence = { checks };
  expect(
    formatGateLines({ progress: done(verdict, unheard), evidence, unbuiltBy: "Bob", final: unheard, overruled }).slice(
      1,
    ),
  ).toEqual([
    "no build, accepted by Bob",
    "code review of 1 of 2 parts passed",
    '"Part 2" not reviewed, accepted by Ada',
    "no final review, accepted by Ada",
    "accepted by Ada despite: a file is missing",
  ]);
});
