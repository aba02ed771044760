import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence, Verbs } from "../../../core/authoring/verbs.ts";
import type { Outcome } from "../../../core/failure/failure.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import { type ExecutionReport, executePhase } from "../acting/execute-phase.ts";
import { listPhaseReports } from "../acting/phase.ts";
import { getPlanPath } from "../artifacts.ts";
import { buildCommitMessage } from "../closing/work-message.ts";
import { selectDecisions } from "../planning/concerned-phases.ts";
import type { Phase, Plan } from "../planning/plan.ts";
import { computeTier } from "../planning/plan-rules.ts";
import { addRework, captureWaveStart, type Progress } from "../progress.ts";
import { findExecutor } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";
import { formatVerdictWord, type ReviewVerdict, reviewWork } from "./code-review.ts";
import { toIssueFinding } from "./findings.ts";
import { extractChecks, extractClaims } from "./review-brief.ts";

/**
 * True if the final review is active: by default, by tier or on request.
 * @rule P-66 (policy) Final review is active by default, by tier or on request; its dispatch contains the changed
 *   files, the execution reports and the files of each phase.
 */
export function isFinalReviewActive(
  { policy, finalReview: runFinalReview }: Pick<PhasesContext, "policy" | "finalReview">,
  plan: Plan,
): boolean {
  const { enabled_by_default, auto_trigger_tiers, allow_user_trigger } = policy.final_review_gate;
  if (enabled_by_default || auto_trigger_tiers.includes(computeTier(plan))) return true;
  return allow_user_trigger && runFinalReview === true;
}

type FinalReviewInput = {
  readonly progress: Progress;
  readonly base: Tree;
  /** Check results for the whole work, and every file that the engine saw change. */
  readonly evidence: Evidence;
  readonly changed: readonly string[];
  /** The findings with which a person sent the work back. */
  readonly sentBack?: readonly Finding[] | undefined;
};

/** Reviews the whole work once. Returns undefined if nobody could review it and no person accepted that. */
export async function runFinalReview(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, base, evidence, changed, sentBack = [] }: FinalReviewInput,
): Promise<ReviewVerdict | undefined> {
  const diff = await verbs.see("diff", { from: base, to: progress.tree });
  const done = [...progress.done.values()];
  const claims = done.flatMap(({ phase: { phase_id }, ...result }) =>
    listPhaseReports(result).map((report) => ({ phase_id, ...extractClaims(report) })),
  );
  const raised = done.flatMap(({ verdicts }) => verdicts.flatMap(({ issues }) => issues));
  const brief = {
    scope: progress.plan.summary,
    context_references: [getPlanPath(context.task)],
    task_description: context.request,
    review_scope: "final",
    phase_id: 0,
    changed_files: changed,
    plan_phases_snapshot: progress.plan.phases.map(({ phase_id, files }) => ({
      phase_id,
      files: files.map((file) => file.path),
    })),
    ...pickNonEmpty({
      findings: sentBack.map(dropCheckOutput),
      execution_report: claims,
      reviewed_before: raised,
      decisions: progress.decisions,
    }),
    // The message omits the result of this review.
    commit_message: buildCommitMessage(context, { progress, evidence }),
    evidence: extractChecks(evidence),
    diff,
  };
  const { verdict } = await reviewWork(verbs, context, {
    name: "The whole work",
    tree: progress.tree,
    brief,
    spent: [],
  });
  return verdict;
}

/** Drops old test results and output; `evidence` has the current ones. */
export const dropCheckOutput = ({ tests: _tests, output: _output, ...rest }: Finding): Finding => rest;

/** Confirmed serious issues; everything else is advice. */
export const listSeriousFindings = (
  verdict: Pick<ReviewVerdict, "validated_blocking_issues"> | undefined,
): readonly Finding[] => verdict?.validated_blocking_issues.map(toIssueFinding) ?? [];

/**
 * The phase with the highest id that owns the file. Read-only phases own nothing, so a reviewer never fixes its own
 * findings.
 * @rule P-39 (policy) The phase with the highest id that owns the file fixes a confirmed issue of the final review, in
 *   one fix cycle; after that, a person decides.
 */
export function findFileOwner(plan: Pick<Plan, "phases">, file: string): Phase | undefined {
  const owners = plan.phases.filter(
    (phase) => findExecutor(phase.executor_agent) && phase.files.some((each) => each.path === file),
  );
  return owners.sort((a, b) => b.phase_id - a.phase_id)[0];
}

export type FixAssignment = {
  readonly owned: ReadonlyMap<number, readonly Finding[]>;
  readonly unowned: readonly Finding[];
};

export function assignFixes(plan: Plan, issues: readonly Finding[]): FixAssignment {
  const owned = new Map<number, Finding[]>();
  const unowned: Finding[] = [];
  for (const issue of issues) {
    const owner = findFileOwner(plan, issue.files?.[0] ?? "");
    if (owner) owned.set(owner.phase_id, [...(owned.get(owner.phase_id) ?? []), issue]);
    else unowned.push(issue);
  }
  return { owned, unowned };
}

/** Lets each owner fix its own issues, in order, on one tree. Returns false if one of them failed. */
export async function fixByOwners(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, owned }: { readonly progress: Progress; readonly owned: FixAssignment["owned"] },
): Promise<boolean> {
  for (const [id, revision] of [...owned].sort(([a], [b]) => a - b)) {
    const phase = progress.plan.phases.find((each) => each.phase_id === id);
    if (!phase) return false;
    const fixed = await verbs.within(`fix-${id}`, () => fixPhase(verbs, context, { progress, phase, revision }));
    if (!fixed?.ok || fixed.value.status !== "COMPLETE") return false;
    addRework(progress, id, fixed.value);
  }
  return true;
}

type FixInput = {
  readonly progress: Progress;
  readonly phase: Phase;
  readonly revision: readonly Finding[];
  readonly rework?: { readonly message: string };
};

export async function fixPhase(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, phase, revision, rework }: FixInput,
): Promise<Outcome<ExecutionReport> | undefined> {
  const approved = progress.approved.get(phase.phase_id)?.files.map((file) => file.path) ?? [];
  const confirmed = progress.confirmed.has(phase.phase_id);
  const decisions = selectDecisions(progress.decisions, progress.plan, phase);
  const order = {
    phase,
    approved,
    confirmed,
    tree: progress.tree,
    standing: { ...captureWaveStart(progress), decisions },
    revision,
    ...(rework && { rework }),
    spent: [],
  };
  const { work, faults } = await executePhase(verbs, context, order);
  progress.history.push(...faults.map((fault) => ({ phase: phase.phase_id, fault })));
  return work;
}

export function formatFinalReview({ issues, ...rest }: FinalVerdict): string {
  if (rest.accepted_by !== undefined) return `# Final review\n\n- ${formatVerdictWord(rest)}\n`;
  const lines = issues.map(
    ({ severity, description, file }) => `- ${severity}: ${description}${file ? ` (${file})` : ""}`,
  );
  return `# Final review\n\n${lines.join("\n") || "- no issues"}\n`;
}

type FinalVerdict = Pick<ReviewVerdict, "issues" | "status" | "accepted_by">;
