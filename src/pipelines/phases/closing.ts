import type { Decision } from "../../core/decision.ts";
import type { End } from "../../core/end.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { finishedIn } from "./approvals.ts";
import { type Completed, complete } from "./completion.ts";
import type { Context } from "./context.ts";
import { countsOf } from "./failures.ts";
import { finalReviewActive } from "./final-review.ts";
import { commitMessage } from "./message.ts";
import { type Outcome, recordOutcome } from "./outcome.ts";
import type { Site } from "./site.ts";
import { statusOf } from "./status.ts";

type Acted = { readonly site: Site; readonly base: Tree };
type Closed = Acted & Completed & { readonly reviewed: boolean };

/** The completion gate, the log entry, the summary, and only then the commit. */
export async function close(verbs: Verbs<unknown>, context: Context, acted: Acted): Promise<End> {
  const { site } = acted;
  const reviews = finalReviewActive(context, site.plan);
  let closed: Closed = { ...acted, ...(await complete(verbs, context, { ...acted, reviews })), reviewed: reviews };
  for (;;) {
    const summary = await summarize(verbs, context, closed);
    const answer = await approval(verbs, context, { ...closed, summary });
    if (answer.choice === "commit") return committed(verbs, context, { ...closed, answer: answer.decision, summary });
    if (answer.choice === "leave") {
      verbs.phase("COMPLETE");
      return { status: "done", reason: "complete, not committed", report: reportOf(site, summary) };
    }
    verbs.phase("ACTING");
    const again = await verbs.within("final-review", () => complete(verbs, context, { ...acted, reviews: true }));
    closed = { ...acted, ...again, reviewed: true };
  }
}

/** The log first: whoever reads the summary can rely on it. */
async function summarize(verbs: Verbs<unknown>, context: Context, { site, decision, final }: Closed): Promise<Outcome> {
  const outcome = await recordOutcome(verbs, context, { site, accepted: decision.passed, final });
  await verbs.write(`plans/${context.task}-complete.md`, summaryText(site, outcome));
  return outcome;
}

async function approval(
  verbs: Verbs<unknown>,
  context: Context,
  { site, decision, reviewed, summary }: Closed & { readonly summary: Outcome },
) {
  verbs.phase("WAITING_APPROVAL");
  await verbs.note(
    statusOf(site, { state: "WAITING_APPROVAL", phases: [], last: "every phase is complete", next: "commit" }),
  );
  const show = {
    summary: site.plan.summary,
    message: commitMessage(site.plan, context.task),
    outcome: summary,
    ...finishedIn(site),
    findings: decision.findings,
  };
  // What changed nothing is not committed: an inquiry is complete with what it says.
  const idle = [...site.done.values()].every(({ changed }) => changed.length === 0);
  const commits = idle ? [] : (["commit"] as const);
  const more = !reviewed && context.policy.final_review_gate.allow_user_trigger ? (["final review"] as const) : [];
  return verbs.ask({
    title: "All phases are complete. Commit?",
    show,
    choices: [...commits, "leave", ...more],
    auto: idle ? "leave" : "commit",
    accepts: "commit",
    about: site.tree,
  });
}

async function committed(
  verbs: Verbs<unknown>,
  context: Context,
  { site, decision, answer, summary }: Closed & { readonly answer: Decision; readonly summary: Outcome },
): Promise<End> {
  verbs.phase("COMPLETE");
  const message = commitMessage(site.plan, context.task);
  const { commit, branch } = await verbs.commit(site.tree, { message, because: [decision, answer] });
  await verbs.note(statusOf(site, { state: "COMPLETE", phases: [], last: `committed to ${branch}`, next: "none" }));
  return { status: "done", report: { commit, branch, ...reportOf(site, summary) } };
}

function reportOf({ history }: Site, outcome: Outcome) {
  const { lessons, reviewers, ...facts } = outcome;
  return {
    outcome: { ...facts, lessons: [...lessons], reviewers: { ...reviewers } },
    retries: countsOf(history.map(({ fault }) => fault)),
  };
}

export function summaryText({ plan, done }: Site, outcome: Outcome): string {
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
