import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import { type Judgement, valueRule } from "../../../core/authoring/rule.ts";
import type { Outcome } from "../../../core/failure/failure.ts";
import { isAbstaining } from "../acting/reply.ts";
import type { Audit, Executability, Mirages } from "../contracts.ts";
import type { Policy } from "../policy.ts";
import {
  findRegressions,
  isRecurring,
  type ReviewHistory,
  type TracedFinding,
  traceFindings,
} from "./recurring-findings.ts";

/**
 * Lowest confidence per reviewer; a reply below it counts as an abstention.
 * @rule P-45 (declaration) A reply below its agent's confidence floor or without its required evidence is handled as
 *   ABSTAIN, whatever status it claims.
 */
const FLOORS = { audit: 0.7, mirages: 0.7, executability: 0.6 } as const;

export type ReviewReplies = {
  readonly iteration: number;
  readonly past: ReviewHistory;
  readonly audit?: Outcome<Audit> | undefined;
  readonly mirages?: Outcome<Mirages> | undefined;
  readonly executability?: Outcome<Executability> | undefined;
};

/**
 * Verdict of one iteration: no dispatched reviewer may object; an abstention counts as no vote.
 * @rule P-08 (gate) A plan is approved when no reviewer objects and ExecutabilityVerifier, if it is in scope, returns
 *   PASS; FAIL and WARN return the plan to the planner.
 */
export const PLAN_REVIEW_RULE = valueRule({
  id: "P-08",
  because: "no reviewer objects to the plan, and it is executable",
  judge: ({ seen: replies }: { seen: ReviewReplies }): Judgement => {
    const score = computeAuditScore(getValidAudit(replies));
    const findings = listPlanIssues(replies).map(toReviewFinding);
    const passed = isClean(replies) && !hasExecutabilityObjection(replies);
    return { passed, findings, ...(score !== undefined && { score }) };
  },
});

/**
 * True if the plan may go on to ExecutabilityVerifier.
 * @rule P-09 (policy) NEEDS_REVISION or a BLOCKING mirage returns the plan to the planner with the combined findings.
 */
export function isClean(replies: ReviewReplies): boolean {
  const status = getAuditStatus(replies);
  const objects = status === "NEEDS_REVISION" || status === "REJECTED";
  return !objects && listBlockingMirages(replies).length === 0 && listLost(replies).length === 0;
}

export const isRejected = (replies: ReviewReplies): boolean => getAuditStatus(replies) === "REJECTED";

/** A CRITICAL finding returns the plan the first time and rejects it if it recurs. */
export function getAuditStatus(replies: ReviewReplies): Audit["status"] | undefined {
  const audit = getValidAudit(replies);
  if (!audit || audit.status === "REJECTED") return audit?.status;
  const critical = audit.findings.filter((finding) => finding.severity === "CRITICAL");
  if (critical.some((finding) => isRecurring(finding.description, replies.past))) return "REJECTED";
  return critical.length > 0 ? "NEEDS_REVISION" : audit.status;
}

export type Reviewer = "PlanAuditor" | "AssumptionVerifier" | "ExecutabilityVerifier";

/** Result per reviewer, for the record of the run. */
export function getReviewResults(replies: ReviewReplies): Record<Reviewer, string> {
  return {
    PlanAuditor: replies.audit ? (getAuditStatus(replies) ?? "ABSTAIN") : "NOT_RUN",
    AssumptionVerifier: replies.mirages ? (getValidMirages(replies)?.status ?? "ABSTAIN") : "NOT_RUN",
    ExecutabilityVerifier: replies.executability ? (getExecutabilityStatus(replies) ?? "ABSTAIN") : "NOT_RUN",
  };
}

/**
 * @rule P-11 (policy) ABSTAIN of PlanAuditor or AssumptionVerifier does not block, never counts as an approval, and is
 *   shown at the next approval.
 */
export const listAbstained = (replies: ReviewReplies): string[] =>
  Object.entries(getReviewResults(replies)).flatMap(([reviewer, result]) => (result === "ABSTAIN" ? [reviewer] : []));

/** All findings that go back to the planner. */
export function listPlanIssues(replies: ReviewReplies): TracedFinding[] {
  const reply = { audit: getValidAudit(replies), mirages: getValidMirages(replies) };
  const toNumberedFinding = (by: string, severity: string) => (description: string, at: number) => ({
    id: `${by.slice(0, 1)}-${replies.iteration}.${at + 1}`,
    by,
    severity,
    description,
  });
  return [
    ...traceFindings(reply, replies.past, replies.iteration),
    ...listLost(replies).map(toNumberedFinding("Regression", "BLOCKING")),
    ...listExecutabilityIssues(replies).map(toNumberedFinding("ExecutabilityVerifier", "MAJOR")),
  ];
}

/** True if a reply of ExecutabilityVerifier counts. */
export const isSimulation = (reply: Executability): boolean =>
  !isAbstaining(reply) && reply.confidence >= FLOORS.executability && reply.tasks_simulated.length > 0;

/** The auditor's score, recomputed if it gives the weighted parts. */
export function computeAuditScore(audit: Pick<Audit, "scoring"> | undefined): number | undefined {
  const { dimensions = [], percentage } = audit?.scoring ?? {};
  const weighted = dimensions.flatMap(({ raw_score, weight }) => (weight === undefined ? [] : [{ raw_score, weight }]));
  const most = weighted.reduce((sum, { weight }) => sum + 5 * weight, 0);
  if (most === 0 || weighted.length < dimensions.length) return percentage;
  return (weighted.reduce((sum, { raw_score, weight }) => sum + raw_score * weight, 0) / most) * 100;
}

/**
 * Returns a reason if further revisions no longer improve the plan.
 * @rule P-12 (policy) If three iterations gain less than 5 points, the review stops and a person is asked.
 */
export function describeStagnation(
  scores: readonly (number | undefined)[],
  { min_iterations, min_improvement_points }: Policy["stagnation_detection"],
): string | undefined {
  const last = scores.at(-1);
  const before = scores.at(-min_iterations);
  if (scores.length < min_iterations || last === undefined || before === undefined) return undefined;
  const gain = Math.round((last - before) * 10) / 10;
  return gain < min_improvement_points ? `${gain} points gained over ${min_iterations - 1} iterations` : undefined;
}

/** @rule P-77 (policy) The best plan version is the one with the highest auditor score; on a tie, the later one. */
export function selectBestVersion<T extends { readonly decision: Decision }>(versions: readonly T[]): T | undefined {
  return versions.reduce<T | undefined>(
    (best, each) => (best === undefined || (each.decision.score ?? 0) >= (best.decision.score ?? 0) ? each : best),
    undefined,
  );
}

/** Confidence of the gate: the auditor's, or that of another reviewer that gave an opinion. */
export const getGateConfidence = (replies: ReviewReplies, plan: { readonly confidence: number }): number =>
  (getValidAudit(replies) ?? getValidMirages(replies) ?? getValidSimulation(replies) ?? plan).confidence;

export const getValidReplies = (replies: ReviewReplies) => ({
  audit: getValidAudit(replies),
  mirages: getValidMirages(replies),
});

function getValidAudit({ audit }: ReviewReplies): Audit | undefined {
  if (!audit?.ok || isAbstaining(audit.value) || audit.value.confidence < FLOORS.audit) return undefined;
  const { findings, verified_items, executability_checklist, scoring, plan_reference } = audit.value;
  const hasContent = findings.length + verified_items.length + executability_checklist.length > 0;
  return hasContent || scoring || plan_reference ? audit.value : undefined;
}

function getValidMirages({ mirages }: ReviewReplies): Mirages | undefined {
  if (!mirages?.ok || isAbstaining(mirages.value) || mirages.value.confidence < FLOORS.mirages) return undefined;
  return mirages.value.mirage_findings.length > 0 || mirages.value.scoring ? mirages.value : undefined;
}

const getValidSimulation = ({ executability }: ReviewReplies): Executability | undefined =>
  executability?.ok && isSimulation(executability.value) ? executability.value : undefined;

/** A blocked task or a CRITICAL finding is a FAIL, whatever the status says. */
function getExecutabilityStatus(replies: ReviewReplies): Executability["status"] | undefined {
  const reply = getValidSimulation(replies);
  const isBlocked = reply?.tasks_simulated.some((task) => task.task_verdict === "BLOCKED");
  return isBlocked || reply?.findings.some(({ severity }) => severity === "CRITICAL") ? "FAIL" : reply?.status;
}

const hasExecutabilityObjection = (replies: ReviewReplies): boolean =>
  replies.executability !== undefined && getExecutabilityStatus(replies) !== "PASS";

function listExecutabilityIssues(replies: ReviewReplies): string[] {
  const reply = hasExecutabilityObjection(replies) ? getValidSimulation(replies) : undefined;
  const stuck = reply?.tasks_simulated
    .filter((task) => task.task_verdict !== "EXECUTABLE")
    .map((task) => `${task.task_id}: ${task.task_verdict}, ${task.first_blocker ?? "no reason given"}`);
  return [...(reply?.findings.map((finding) => finding.description) ?? []), ...(stuck ?? [])];
}

const listBlockingMirages = (replies: ReviewReplies) =>
  getValidMirages(replies)?.mirage_findings.filter(
    (each) => each.severity === "BLOCKING" && each.verdict !== "VERIFIED",
  ) ?? [];

const listLost = (replies: ReviewReplies): string[] => findRegressions(getValidReplies(replies), replies.past);

const SEVERITY: Readonly<Record<string, Finding["severity"]>> = {
  BLOCKING: "critical",
  CRITICAL: "critical",
  MAJOR: "major",
  IMPORTANT: "major",
  MINOR: "minor",
};

function toReviewFinding({
  severity,
  description,
  file,
  by,
  regression_iteration,
  regression_finding_id,
}: TracedFinding): Finding {
  const since = regression_iteration === undefined ? "" : ` since iteration ${regression_iteration}`;
  const again = since || regression_finding_id ? ` (again${since}: ${regression_finding_id ?? "unnamed"})` : "";
  return {
    severity: SEVERITY[severity] ?? "major",
    message: `${description}${again}`,
    by,
    ...(file !== undefined && { files: [file] }),
  };
}
