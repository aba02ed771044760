import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { PhaseResult } from "../acting/phase.ts";
import { computeTier } from "../planning/plan-rules.ts";
import { OUTCOMES_FILE } from "../policy.ts";
import type { Progress } from "../progress.ts";
import { formatVerdictWord, type ReviewVerdict } from "../review/code-review.ts";
import type { PhasesContext } from "../run-context.ts";
import { formatOutcomeEntry } from "./outcome-entry.ts";

export type Outcome = {
  readonly plan: string;
  readonly title: string;
  readonly date: string;
  readonly tier: string;
  readonly planned: number;
  readonly completed: number;
  /** Result per plan reviewer, and of the code reviewer. */
  readonly reviewers: Readonly<Record<string, string>>;
  readonly iterations: string;
  readonly convergence: string;
  readonly status: "SUCCESS" | "PARTIAL" | "FAILED";
  /** Share of raised issues that the reviewer itself rejected. */
  readonly falsePositives: string;
  readonly lessons: readonly string[];
};

type OutcomeInput = {
  readonly progress: Progress;
  readonly accepted: boolean;
  readonly final?: ReviewVerdict | undefined;
};

/** Appends the entry of this run to the log before any summary, also for a failed run. */
export async function recordOutcome(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  input: OutcomeInput,
): Promise<Outcome> {
  const { see, write } = verbs;
  const { tree } = input.progress;
  const before = await see("file", { path: OUTCOMES_FILE, in: tree });
  const template = await see("file", { path: context.policy.session_telemetry.template, in: tree });
  const outcome = buildOutcome(context, { ...input, date: await see("now") });
  await write(
    OUTCOMES_FILE,
    `${before?.text ?? "# Session outcomes\n"}\n${formatOutcomeEntry(outcome, template?.text)}`,
  );
  return outcome;
}

/** Ends the run before completion and records its outcome. */
export async function giveUp(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, reason, failed = [] }: AbandonedRun,
): Promise<never> {
  const outcome = await recordOutcome(verbs, context, { progress, accepted: false });
  const report = {
    outcome: { ...outcome, lessons: [...outcome.lessons] },
    ...describeWork(progress, { reason, failed }),
  };
  return verbs.end({ status: "error", reason, report });
}

type AbandonedRun = {
  readonly progress: Progress;
  readonly reason: string;
  /** Phases whose work was not merged. */
  readonly failed?: readonly PhaseResult[];
};

/** Describes the work of a run that ends early: the tree of the complete phases, and the trees of the failed ones. */
export function describeWork(
  { tree, done }: Progress,
  { reason, failed }: Pick<AbandonedRun, "reason"> & Required<Pick<AbandonedRun, "failed">>,
) {
  const phases = [...done.keys()].sort((a, b) => a - b);
  const unaccepted = failed
    .filter(({ changed }) => changed.length > 0)
    .map(({ phase, after, why = reason }) => ({ phase: phase.phase_id, tree: after.tree, accepted: false, why }));
  const why = `${reason}; complete: ${phases.length > 0 ? `phases ${phases.join(", ")}` : "nothing"}`;
  const [first] = unaccepted;
  const work = phases.length > 0 ? { tree: tree.tree, accepted: false, why } : first && { ...first };
  return { ...(work && { work }), ...(unaccepted.length > 0 && { unaccepted }) };
}

export function buildOutcome(context: PhasesContext, input: OutcomeInput & { readonly date: number }): Outcome {
  const { progress, accepted, final, date } = input;
  const { plan, done, review } = progress;
  const planned = plan.phases.length;
  const whole = done.size === planned && accepted;
  return {
    plan: `plans/${context.task}-plan.md`,
    title: plan.task_title,
    date: new Date(date).toISOString().slice(0, 10),
    tier: computeTier(plan),
    planned,
    completed: done.size,
    reviewers: { ...review.results, CodeReviewer: formatCodeReviewResult(progress, final) },
    iterations: `${review.iterations}/${review.max}`,
    convergence: review.convergence,
    status: whole ? "SUCCESS" : done.size > 0 ? "PARTIAL" : "FAILED",
    falsePositives: formatFalsePositives([...listVerdicts(progress), ...(final ? [final] : [])]),
    lessons: listLessons(progress),
  };
}

const listVerdicts = ({ done }: Progress): readonly ReviewVerdict[] =>
  [...done.values()].flatMap(({ verdicts }) => verdicts);

function formatCodeReviewResult(progress: Progress, final: ReviewVerdict | undefined): string {
  const last = [...progress.done.values()].flatMap(({ verdicts }) => verdicts.slice(-1));
  const phases = `${last.filter(({ status }) => status === "APPROVED").length} of ${last.length} APPROVED`;
  const results = [phases, ...listUnreviewedPhases(progress), ...(final ? [`final ${formatVerdictWord(final)}`] : [])];
  return results.join(", ");
}

const listUnreviewedPhases = ({ done }: Progress): readonly string[] =>
  [...done.values()].flatMap(({ phase, verdicts }) =>
    verdicts
      .slice(-1)
      .filter((verdict) => verdict.accepted_by !== undefined)
      .map((verdict) => `phase ${phase.phase_id} ${formatVerdictWord(verdict)}`),
  );

/** Work that is committed without a review, with the person who accepted that. */
export const listUnreviewed = (progress: Progress, final: ReviewVerdict | undefined): readonly string[] => [
  ...listUnreviewedPhases(progress),
  ...(final?.accepted_by === undefined ? [] : [`the whole work ${formatVerdictWord(final)}`]),
];

export function formatFalsePositives(verdicts: readonly Pick<ReviewVerdict, "issues">[]): string {
  const issues = verdicts.flatMap((verdict) => verdict.issues);
  if (issues.length === 0) return "no issues raised";
  const rejected = issues.filter((issue) => issue.validation_status === "rejected").length;
  return `${Math.round((100 * rejected) / issues.length)} % (${rejected} of ${issues.length})`;
}

/** Failures of the run, as lessons for the next plan. */
const listLessons = ({ history }: Progress): readonly string[] => [
  ...new Set(history.map(({ phase, fault }) => `part ${phase}, ${fault.at}: ${fault.class} (${fault.reason})`)),
];
