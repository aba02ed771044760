import type { Decision } from "../../../core/authoring/decision.ts";
import type { End } from "../../../core/authoring/end.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { declaredOf } from "../../work-kind.ts";
import { finishedIn } from "../acting/approvals.ts";
import { countsOf } from "../acting/failures.ts";
import { completePath } from "../acting/phase-end.ts";
import { planPath } from "../artifacts.ts";
import type { Progress } from "../context.ts";
import { eventsPath } from "../events.ts";
import type { Context } from "../iteration.ts";
import { OUTCOMES } from "../policy.ts";
import { finalReviewActive } from "../review/final-review.ts";
import { type CompletionResult, complete } from "./completion.ts";
import { commitBody, commitMessage } from "./message.ts";
import { NOTES_FILE } from "./notes.ts";
import { type Outcome, recordOutcome } from "./outcome.ts";
import { statusOf } from "./status.ts";

type ActingResult = { readonly progress: Progress; readonly base: Tree };
type ClosingState = ActingResult & CompletionResult & { readonly reviewed: boolean };

/** The completion gate, the log entry, the summary, and only then the commit. */
export async function close(verbs: Verbs<unknown>, context: Context, acted: ActingResult): Promise<End> {
  const { progress } = acted;
  const reviews = finalReviewActive(context, progress.plan);
  let closed: ClosingState = {
    ...acted,
    ...(await complete(verbs, context, { ...acted, reviews })),
    reviewed: reviews,
  };
  for (;;) {
    const summary = await summarize(verbs, context, closed);
    const answer = await approval(verbs, context, { ...closed, summary });
    if (answer.choice === "commit") return committed(verbs, context, { ...closed, answer: answer.decision, summary });
    if (answer.choice === "leave") {
      verbs.phase("COMPLETE");
      const work = { tree: progress.tree.tree, accepted: true, why: "complete, and nobody wanted a commit" };
      return { status: "done", reason: "complete, not committed", report: { work, ...reportOf(progress, summary) } };
    }
    verbs.phase("ACTING");
    const again = await verbs.within("final-review", () => complete(verbs, context, { ...acted, reviews: true }), {
      repeats: true,
    });
    closed = { ...acted, ...again, reviewed: true };
  }
}

/** @rule P-40 (code) The log of outcomes has its entry before anybody reads the summary. */
async function summarize(
  verbs: Verbs<unknown>,
  context: Context,
  { progress, decision, final }: ClosingState,
): Promise<Outcome> {
  const outcome = await recordOutcome(verbs, context, { progress, accepted: decision.passed, final });
  await verbs.write(`plans/${context.task}-complete.md`, summaryText(progress, outcome));
  return outcome;
}

async function approval(
  verbs: Verbs<unknown>,
  context: Context,
  { progress, decision, reviewed, summary }: ClosingState & { readonly summary: Outcome },
) {
  verbs.phase("WAITING_APPROVAL");
  await verbs.note(
    statusOf(progress, { state: "WAITING_APPROVAL", phases: [], last: "every phase is complete", next: "commit" }),
  );
  const show = {
    summary: progress.plan.summary,
    message: messageOf(progress, context),
    outcome: summary,
    ...finishedIn(progress),
    findings: decision.findings,
    documents: documentsOf(progress, context.task),
  };
  // What changed nothing is not committed: an inquiry is complete with what it says.
  const idle = [...progress.done.values()].every(({ changed }) => changed.length === 0);
  const commits = idle ? [] : (["commit"] as const);
  const more = !reviewed && context.policy.final_review_gate.allow_user_trigger ? (["final review"] as const) : [];
  return verbs.ask({
    title: "All phases are complete. Commit?",
    show,
    choices: [...commits, "leave", ...more],
    leads: {
      commit: "the work is committed on the run's branch",
      leave: "the run ends without a commit",
      "final review": "one more review of the whole, then you are asked again",
    },
    auto: idle ? "leave" : "commit",
    paths: [`plans/${context.task}-complete.md`],
    accepts: "commit",
    tree: progress.tree,
  });
}

async function committed(
  verbs: Verbs<unknown>,
  context: Context,
  { progress, decision, answer, summary }: ClosingState & { readonly answer: Decision; readonly summary: Outcome },
): Promise<End> {
  verbs.phase("COMPLETE");
  const message = messageOf(progress, context);
  const { commit, branch } = await verbs.commit(progress.tree, {
    message,
    because: [decision, answer],
    ...declaredOf([progress.plan]),
  });
  await verbs.note(statusOf(progress, { state: "COMPLETE", phases: [], last: `committed to ${branch}`, next: "none" }));
  return { status: "done", report: { commit, branch, ...reportOf(progress, summary) } };
}

/** What is committed beside the code, so that nobody is surprised by it. */
const documentsOf = ({ plan }: Progress, task: string): readonly string[] => [
  planPath(task),
  ...plan.phases.map(({ phase_id }) => completePath(task, phase_id)),
  `plans/${task}-complete.md`,
  eventsPath(task),
  OUTCOMES,
  NOTES_FILE,
];

function messageOf({ plan, done }: Progress, { task }: Context): string {
  const parts = [...done.values()].filter(({ changed }) => changed.length > 0).map(({ phase }) => phase);
  return `${commitMessage(plan, task)}\n\n${commitBody(plan, task, parts)}`.trim();
}

function reportOf({ history }: Progress, outcome: Outcome) {
  const { lessons, reviewers, ...facts } = outcome;
  return {
    outcome: { ...facts, lessons: [...lessons], reviewers: { ...reviewers } },
    retries: countsOf(history.map(({ fault }) => fault)),
  };
}

export function summaryText({ plan, done }: Progress, outcome: Outcome): string {
  const phases = [...done.values()].map(
    ({ phase, changed }) => `- ${phase.title}: ${changed.join(", ") || "read only"}`,
  );
  return [
    `# ${plan.task_title}`,
    plan.summary,
    `Status: ${outcome.status}, ${outcome.completed} of ${outcome.planned} phases`,
    phases.join("\n"),
    "",
  ].join("\n\n");
}
