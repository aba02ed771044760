import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../core/failure/failure.ts";
import { Audit, Executability, Mirages } from "../contracts.ts";
import { Policy } from "../policy.ts";
import { createReply } from "./plan.fixture.ts";
import {
  computeAuditScore,
  describeStagnation,
  getAuditStatus,
  getReviewResults,
  isClean,
  isRejected,
  listAbstained,
  listPlanIssues,
  PLAN_REVIEW_RULE,
  type ReviewReplies,
  selectBestVersion,
} from "./plan-review-rules.ts";
import { EMPTY_HISTORY, type ReviewHistory, updateHistory } from "./recurring-findings.ts";

const ok = <T>(value: T): Outcome<T> => ({ ok: true, value });
const audited = (status: string, more: object = {}) =>
  Audit.parse(createReply("PlanAuditor", { status, scoring: { percentage: 80 }, ...more }));
const audit = (status: string, more: object = {}) => ok(audited(status, more));
const mirages = (...findings: object[]) =>
  ok(
    Mirages.parse(
      createReply("AssumptionVerifier", { status: "COMPLETE", mirage_findings: findings, scoring: { percentage: 80 } }),
    ),
  );
const mirage = (severity: string, more: object = {}) => ({ severity, claim: "there is an API", ...more });
const task = (task_verdict: string) => ({ task_id: "1", task_verdict });
const executability = (status: string, more: object = {}) =>
  ok(
    Executability.parse(
      createReply("ExecutabilityVerifier", { status, tasks_simulated: [task("EXECUTABLE")], ...more }),
    ),
  );
const seen = (more: Partial<ReviewReplies>): ReviewReplies => ({ iteration: 1, past: EMPTY_HISTORY, ...more });
const passes = (more: Partial<ReviewReplies>) => PLAN_REVIEW_RULE.judge({ seen: seen(more) }).passed;
const createHistory = (first: Audit, past: ReviewHistory = EMPTY_HISTORY, iteration = 1) =>
  updateHistory(past, { audit: first }, iteration);

describe("plan review", () => {
  it("[P-08] passes with an approving auditor, no BLOCKING mirage and a PASS", () => {
    const clean = { audit: audit("APPROVED"), mirages: mirages(mirage("IMPORTANT")) };
    expect(passes({ ...clean, executability: executability("PASS") })).toBe(true);
    expect(passes(clean)).toBe(true);
  });

  it("[P-08] FAIL and WARN go back", () => {
    for (const status of ["FAIL", "WARN"]) {
      expect(passes({ audit: audit("APPROVED"), executability: executability(status) })).toBe(false);
    }
  });

  it("[P-08] one blocked task is a FAIL, whatever the verifier's status", () => {
    const blocked = executability("PASS", { tasks_simulated: [{ ...task("BLOCKED"), first_blocker: "no file" }] });
    const about = seen({ audit: audit("APPROVED"), executability: blocked });
    expect(PLAN_REVIEW_RULE.judge({ seen: about }).passed).toBe(false);
    expect(listPlanIssues(about).map((issue) => issue.description)).toEqual(["1: BLOCKED, no file"]);
  });

  it("[P-08] a CRITICAL finding with a PASS is a FAIL, a MINOR one is not", () => {
    const found = (severity: string) =>
      seen({
        audit: audit("APPROVED"),
        executability: executability("PASS", { findings: [{ severity, description: "no migration" }] }),
      });
    expect(PLAN_REVIEW_RULE.judge({ seen: found("CRITICAL") }).passed).toBe(false);
    expect(listPlanIssues(found("CRITICAL")).map(({ description }) => description)).toEqual(["no migration"]);
    expect(PLAN_REVIEW_RULE.judge({ seen: found("MINOR") }).passed).toBe(true);
  });

  it("[P-09] an objection or a BLOCKING mirage returns the plan with the findings of both", () => {
    const findings = [{ severity: "MAJOR", description: "no rollback", file: "src/a.ts" }];
    const about = seen({ audit: audit("NEEDS_REVISION", { findings }), mirages: mirages(mirage("BLOCKING")) });
    expect(isClean(about)).toBe(false);
    expect(passes({ audit: audit("NEEDS_REVISION") })).toBe(false);
    expect(passes({ audit: audit("APPROVED"), mirages: mirages(mirage("BLOCKING")) })).toBe(false);
    expect(PLAN_REVIEW_RULE.judge({ seen: about }).findings).toMatchObject([
      { message: "no rollback", by: "PlanAuditor", files: ["src/a.ts"] },
      { message: "there is an API", by: "AssumptionVerifier", severity: "critical" },
    ]);
  });

  it("[P-09] a verified claim is no mirage", () => {
    expect(passes({ audit: audit("APPROVED"), mirages: mirages(mirage("BLOCKING", { verdict: "VERIFIED" })) })).toBe(
      true,
    );
  });

  it("[P-10] distinguishes a rejection from an objection", () => {
    expect(isRejected(seen({ audit: audit("REJECTED") }))).toBe(true);
    expect(isRejected(seen({ audit: audit("NEEDS_REVISION") }))).toBe(false);
  });

  it("[P-10] a CRITICAL finding returns the plan once and rejects it if it recurs", () => {
    const findings = [{ severity: "CRITICAL", description: "deletes the data" }];
    const first = audited("APPROVED", { findings });
    expect(getAuditStatus(seen({ audit: ok(first) }))).toBe("NEEDS_REVISION");
    const past = createHistory(audited("NEEDS_REVISION", { findings }));
    expect(getAuditStatus(seen({ iteration: 2, past, audit: ok(first) }))).toBe("REJECTED");
  });

  it("[P-11] an abstention does not block, is named and is no approval", () => {
    const about = seen({ audit: audit("ABSTAIN"), mirages: mirages() });
    expect(PLAN_REVIEW_RULE.judge({ seen: about }).passed).toBe(true);
    expect(listAbstained(about)).toEqual(["PlanAuditor"]);
    expect(getReviewResults(about)).toMatchObject({ PlanAuditor: "ABSTAIN", ExecutabilityVerifier: "NOT_RUN" });
    expect(PLAN_REVIEW_RULE.judge({ seen: about }).score).toBeUndefined();
  });

  it("[P-45] a reply below its floor is an abstention, whatever it claims", () => {
    const low = { confidence: 0.69 };
    expect(getReviewResults(seen({ audit: audit("REJECTED", low) })).PlanAuditor).toBe("ABSTAIN");
    expect(getReviewResults(seen({ audit: audit("REJECTED", { confidence: 0.7 }) })).PlanAuditor).toBe("REJECTED");
    const doubtful = mirages(mirage("BLOCKING"));
    if (doubtful.ok) {
      expect(passes({ audit: audit("APPROVED"), mirages: ok({ ...doubtful.value, ...low }) })).toBe(true);
    }
    const weak = (confidence: number) =>
      getReviewResults(seen({ executability: executability("PASS", { confidence }) })).ExecutabilityVerifier;
    expect([weak(0.59), weak(0.6)]).toEqual(["ABSTAIN", "PASS"]);
  });

  it("[P-45] a reply without its evidence is an abstention, whatever it claims", () => {
    const bare = ok(Audit.parse(createReply("PlanAuditor", { status: "APPROVED" })));
    const empty = ok(Mirages.parse(createReply("AssumptionVerifier", { status: "COMPLETE" })));
    const idle = executability("PASS", { tasks_simulated: [] });
    expect(listAbstained(seen({ audit: bare, mirages: empty, executability: idle }))).toEqual([
      "PlanAuditor",
      "AssumptionVerifier",
      "ExecutabilityVerifier",
    ]);
  });

  it("[P-45] a reply that declares an abstention abstains, whatever its status", () => {
    const abstain = { is_abstaining: true, reasons: ["no access"] };
    expect(listAbstained(seen({ audit: audit("REJECTED", { abstain }) }))).toEqual(["PlanAuditor"]);
  });

  it("[P-70] an abstaining executability verifier is not a PASS", () => {
    expect(passes({ audit: audit("APPROVED"), executability: executability("ABSTAIN") })).toBe(false);
    expect(passes({ audit: audit("APPROVED"), executability: executability("PASS", { confidence: 0.5 }) })).toBe(false);
  });

  it("[P-15] an item that was verified before and fails now blocks, although every reviewer approves", () => {
    const item = { item_id: "tests-named", description: "every phase names its tests" };
    const past = createHistory(audited("NEEDS_REVISION", { verified_items: [item] }));
    const again = (more: object) => passes({ iteration: 2, past, audit: audit("APPROVED", more) });
    expect(again({ verified_items: [item] })).toBe(true);
    expect(again({ verified_items: [{ ...item, status: "REGRESSED" }] })).toBe(false);
  });

  it("[P-15] an item that is renamed or no longer listed is no regression", () => {
    const item = { item_id: "tests-named", description: "every phase names its tests" };
    const past = createHistory(audited("NEEDS_REVISION", { verified_items: [item] }));
    const again = (more: object) => passes({ iteration: 2, past, audit: audit("APPROVED", more) });
    expect(again({})).toBe(true);
    expect(again({ verified_items: [{ ...item, item_id: "T-1" }] })).toBe(true);
    const failing = { item_id: "T-1", description: "tests are named", status: "REGRESSED" };
    expect(again({ verified_items: [failing] })).toBe(false);
  });

  it("[P-12] stagnates at the third iteration if less than five points are gained", () => {
    const { stagnation_detection } = Policy.parse({});
    const stands = (...scores: (number | undefined)[]) =>
      describeStagnation(scores, stagnation_detection) !== undefined;
    expect(stands(62, 64)).toBe(false);
    expect(stands(62, 64, 65)).toBe(true);
    expect(stands(62, 64, 66.9)).toBe(true);
    expect(stands(62, 64, 67)).toBe(false);
    expect(stands(62, 64, 70, 71)).toBe(false);
    expect(stands(62, 70, 71, 71)).toBe(true);
    expect(stands(62, undefined, 80)).toBe(false);
  });

  it("[P-46] the thresholds of stagnation can be set", () => {
    const by = (more: object) => Policy.parse({ stagnation_detection: more }).stagnation_detection;
    expect(describeStagnation([62, 64], by({ min_iterations: 2 }))).toBeDefined();
    expect(describeStagnation([62, 64, 65], by({ min_improvement_points: 2 }))).toBeUndefined();
  });

  it("[P-77] the best version has the highest score, the later one on a tie", () => {
    const decision = { id: "d", gate: "g", passed: false, blocked: false, findings: [] };
    const versions = [80, 90, 90, 70].map((score, at) => ({ at, decision: { ...decision, score } }));
    expect(selectBestVersion(versions)?.at).toBe(2);
    expect(selectBestVersion([{ at: 0, decision }, ...versions.slice(0, 1)])?.decision).toMatchObject({ score: 80 });
  });

  it("recomputes a score if its parts are given", () => {
    const dimensions = [
      { name: "correctness", raw_score: 5, weight: 3 },
      { name: "completeness", raw_score: 0, weight: 2 },
    ];
    expect(computeAuditScore({ scoring: { percentage: 99, dimensions } })).toBe(60);
    expect(computeAuditScore({ scoring: { percentage: 99 } })).toBe(99);
    expect(computeAuditScore({})).toBeUndefined();
  });
});
