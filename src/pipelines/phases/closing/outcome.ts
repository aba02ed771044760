import type { Verbs } from "../../core/verbs.ts";
import type { Heard } from "./code-review.ts";
import type { Context } from "./context.ts";
import { tierOf } from "./plan-rules.ts";
import { OUTCOMES } from "./policy.ts";
import type { Site } from "./site.ts";

export type Outcome = {
  readonly plan: string;
  readonly title: string;
  readonly date: string;
  readonly tier: string;
  readonly planned: number;
  readonly completed: number;
  /** What each reviewer of the plan, and the code reviewer, came to. */
  readonly reviewers: Readonly<Record<string, string>>;
  readonly iterations: string;
  readonly convergence: string;
  readonly status: "SUCCESS" | "PARTIAL" | "FAILED";
  /** Issues that the reviewer raised and rejected itself, of all that it raised. */
  readonly falsePositives: string;
  readonly lessons: readonly string[];
};

type Told = {
  readonly site: Site;
  readonly accepted: boolean;
  readonly final?: Heard | undefined;
};

/** Appends the entry of this run to the log: before any summary, and also when nothing came of it. */
export async function recordOutcome(verbs: Verbs<unknown>, context: Context, told: Told): Promise<Outcome> {
  const { see, write } = verbs;
  const before = await see("file", { path: OUTCOMES, in: told.site.tree });
  const outcome = outcomeOf(context, { ...told, date: await see("now") });
  await write(OUTCOMES, `${before?.text ?? "# Session outcomes\n"}\n${outcomeText(outcome)}`);
  return outcome;
}

/** Ends the run before its completion; what was reached is on record. */
export async function giveUp(
  verbs: Verbs<unknown>,
  context: Context,
  { site, reason }: { readonly site: Site; readonly reason: string },
): Promise<never> {
  const outcome = await recordOutcome(verbs, context, { site, accepted: false });
  return verbs.end({ status: "error", reason, report: { outcome: { ...outcome, lessons: [...outcome.lessons] } } });
}

export function outcomeOf(context: Context, told: Told & { readonly date: number }): Outcome {
  const { site, accepted, final, date } = told;
  const { plan, done, review } = site;
  const planned = plan.phases.length;
  const whole = done.size === planned && accepted;
  return {
    plan: `plans/${context.task}-plan.md`,
    title: plan.task_title,
    date: new Date(date).toISOString().slice(0, 10),
    tier: tierOf(plan),
    planned,
    completed: done.size,
    reviewers: { ...review.results, CodeReviewer: codeReview(site, final) },
    iterations: `${review.iterations}/${review.max}`,
    convergence: review.convergence,
    status: whole ? "SUCCESS" : done.size > 0 ? "PARTIAL" : "FAILED",
    falsePositives: falsePositives([...verdictsOf(site), ...(final ? [final] : [])]),
    lessons: lessonsOf(site),
  };
}

export function outcomeText(outcome: Outcome): string {
  const reviewers = Object.entries(outcome.reviewers).map(([name, result]) => `${name} ${result}`);
  return [
    `## ${outcome.title}`,
    "",
    `- Plan: ${outcome.plan}`,
    `- Date: ${outcome.date}`,
    `- Tier: ${outcome.tier}`,
    `- Phases: ${outcome.completed} of ${outcome.planned}`,
    `- Reviewers: ${reviewers.join(", ")}`,
    `- Iterations: ${outcome.iterations}`,
    `- Convergence: ${outcome.convergence}`,
    `- Status: ${outcome.status}`,
    `- CodeReviewer false-positive rate: ${outcome.falsePositives}`,
    `- Lessons: ${outcome.lessons.join("; ") || "none"}`,
    "",
  ].join("\n");
}

const verdictsOf = ({ done }: Site): readonly Heard[] => [...done.values()].flatMap(({ verdicts }) => verdicts);

function codeReview(site: Site, final: Heard | undefined): string {
  const last = [...site.done.values()].flatMap(({ verdicts }) => verdicts.slice(-1));
  const phases = `${last.filter(({ status }) => status === "APPROVED").length} of ${last.length} APPROVED`;
  return final ? `${phases}, final ${final.status}` : phases;
}

export function falsePositives(verdicts: readonly Pick<Heard, "issues">[]): string {
  const issues = verdicts.flatMap((verdict) => verdict.issues);
  if (issues.length === 0) return "no issues raised";
  const rejected = issues.filter((issue) => issue.validation_status === "rejected").length;
  return `${Math.round((100 * rejected) / issues.length)} % (${rejected} of ${issues.length})`;
}

/** What went wrong on the way: the next plan can do better about exactly this. */
const lessonsOf = ({ history }: Site): readonly string[] => [
  ...new Set(history.map(({ phase, fault }) => `part ${phase}, ${fault.at}: ${fault.class} (${fault.reason})`)),
];
