import { expect, test } from "vitest";
import { phase } from "../planning/plan.fixture.ts";
import { Phase } from "../planning/plan.ts";
import type { ReviewVerdict } from "../review/code-review.ts";
import { gatesOf } from "./gates.ts";

const verdict: ReviewVerdict = { status: "APPROVED", confidence: 1, issues: [], validated_blocking_issues: [] };
const unheard: ReviewVerdict = { ...verdict, status: "NOT_REVIEWED", accepted_by: "Ada" };
const done = (...verdicts: readonly ReviewVerdict[]) => ({
  // Of a finished phase only its title and its verdicts are looked at.
  done: new Map(verdicts.map((each, at) => [at + 1, { phase: Phase.parse(phase(at + 1)), verdicts: [each] } as never])),
});
const checks = (["build", "tamper"] as const).map((name) => ({
  name,
  passed: true,
  outcome: "passed" as const,
  exitCode: 0,
  snippet: "",
}));

test("a commit names the project's own checks and the reviews that it has passed", () => {
  expect(gatesOf({ progress: done(verdict, verdict), evidence: { checks }, final: verdict })).toEqual([
    "build passed",
    "code review passed",
    "review of the whole passed",
  ]);
});

test("what a person let through is said with their name", () => {
  const overruled = { by: "Ada", findings: ["a file is missing"] };
  const evidence = { checks };
  expect(
    gatesOf({ progress: done(verdict, unheard), evidence, unbuiltBy: "Bob", final: unheard, overruled }).slice(1),
  ).toEqual([
    "no build, accepted by Bob",
    "code review of 1 of 2 parts passed",
    '"Part 2" not reviewed, accepted by Ada',
    "the whole not reviewed, accepted by Ada",
    "accepted by Ada although a file is missing",
  ]);
});
