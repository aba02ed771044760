import { briefOf, filesSection } from "../../../core/authoring/brief.ts";
import type { Decision } from "../../../core/authoring/decision.ts";
import type { End } from "../../../core/authoring/end.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import { formatFindingsSection } from "../../plan-brief.ts";
import { declareWork, type RequestKind } from "../../work-kind.ts";
import { takeNewVerdicts } from "../acting/approvals.ts";
import { countFaultsByClass } from "../acting/failures.ts";
import { formatDocumentsSection } from "../documents.ts";
import type { Progress } from "../progress.ts";
import { isFinalReviewActive } from "../review/final-review.ts";
import type { PhasesContext } from "../run-context.ts";
import { listOpenAdvice, listReworkSummaries } from "./advice.ts";
import { type CompletionResult, completeRun, repeatCompletion } from "./completion.ts";
import { writeNotes } from "./notes.ts";
import { listUnreviewed, type Outcome, recordOutcome } from "./outcome.ts";
import { createObjection } from "./rework.ts";
import { describeRunState } from "./status.ts";
import { buildCommitMessage } from "./work-message.ts";

/** The request as given, and whether a person approved the plan. */
type StatedWork = { readonly request: string; readonly kind?: RequestKind | undefined; readonly approved: boolean };
type ActingResult = { readonly progress: Progress; readonly base: Tree; readonly stated: StatedWork };
type ClosingState = ActingResult & CompletionResult & { readonly reviewed: boolean };
type WithSummary = { readonly summary: Outcome };

/** Runs the completion gate, the session outcome, the summary, and then the commit. */
export async function closeRun(verbs: Verbs<unknown>, context: PhasesContext, acted: ActingResult): Promise<End> {
  const { progress } = acted;
  const reviews = isFinalReviewActive(context, progress.plan);
  let closed: ClosingState = {
    ...acted,
    ...(await completeRun(verbs, context, { ...acted, reviews })),
    reviewed: reviews,
  };
  for (let round = 2; ; round += 1) {
    const summary = await summarize(verbs, context, closed);
    const answer = await askForCommit(verbs, context, { ...closed, summary });
    if (answer.choice === "leave") return endWithoutCommit(verbs, { progress, summary });
    const made =
      answer.choice === "commit"
        ? await commitWork(verbs, context, { ...closed, answer: answer.decision, summary })
        : { sentBack: answer.choice === "revise" ? [createObjection(answer)] : [] };
    if (!("sentBack" in made)) return made;
    const sentBack = { findings: made.sentBack, message: buildCommitMessage(context, closed) };
    const runAgain = () => repeatCompletion(verbs, context, { ...acted, sentBack });
    closed = { ...acted, ...(await verbs.within(`round-${round}`, runAgain, { repeats: true })), reviewed: true };
  }
}

function endWithoutCommit(
  verbs: Verbs<unknown>,
  { progress, summary }: Pick<ClosingState, "progress"> & WithSummary,
): End {
  verbs.phase("COMPLETE");
  const work = { tree: progress.tree.tree, accepted: true, why: "complete; no commit was requested" };
  return { status: "done", reason: "complete, not committed", report: { work, ...buildEndReport(progress, summary) } };
}

/** @rule P-40 (code) The session outcome is appended before the completion summary is shown. */
async function summarize(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, decision, final }: ClosingState,
): Promise<Outcome> {
  const outcome = await recordOutcome(verbs, context, { progress, accepted: decision.passed, final });
  await verbs.write(`plans/${context.task}-complete.md`, formatRunSummary(progress, outcome));
  await writeNotes(verbs, context, { progress });
  return outcome;
}

async function askForCommit(verbs: Verbs<unknown>, context: PhasesContext, closed: ClosingState & WithSummary) {
  const { progress, decision, reviewed, unsettled, final, summary } = closed;
  verbs.phase("WAITING_APPROVAL");
  await verbs.note(
    describeRunState(progress, {
      state: "WAITING_APPROVAL",
      phases: [],
      last: "every phase is complete",
      next: "commit",
    }),
  );
  // Work without changed files is not committed: an inquiry is complete with its report.
  const idle = listChangedFiles(progress).length === 0;
  const documents = [...context.documents].toSorted();
  const advice = listOpenAdvice(progress, final);
  const reworked = listReworkSummaries(progress);
  const show = {
    summary: progress.plan.summary,
    message: buildCommitMessage(context, closed),
    outcome: summary,
    ...takeNewVerdicts(progress),
    ...(unsettled === undefined ? {} : { unsettled }),
    ...pickNonEmpty({ unreviewed: listUnreviewed(progress, final), advice, reworked }),
    findings: decision.findings,
    documents,
  };
  const brief = briefOf([
    { title: "Request", lines: context.request.trim().split("\n") },
    { title: "Commit message", lines: show.message.trim().split("\n") },
    filesSection("Changed files", listChangedFiles(progress)),
    formatDocumentsSection(idle ? [] : documents),
    { title: "Outcome", lines: [`${summary.completed} of ${summary.planned} phases, ${summary.status.toLowerCase()}`] },
    { title: "Unsettled", lines: unsettled === undefined ? [] : [unsettled] },
    { title: "Rework reports", lines: reworked },
    { title: "Not reviewed", lines: listUnreviewed(progress, final) },
    formatFindingsSection("Findings", decision.findings),
    { title: "Advice", lines: advice },
  ]);
  const commits = idle ? [] : (["commit", "revise"] as const);
  const more = !reviewed && context.policy.final_review_gate.allow_user_trigger ? (["final review"] as const) : [];
  return verbs.ask({
    title: "All phases are complete. Commit?",
    show,
    brief,
    choices: [...commits, "leave", ...more],
    words: ["revise"],
    revises: "revise",
    leads: {
      commit: "the work is committed on the run's branch",
      revise: "the work goes back with your note on the files or the subject, is reviewed, then you are asked again",
      leave: "the run ends without a commit",
      "final review": "the whole work is reviewed once more, then you are asked again",
    },
    auto: idle ? "leave" : "commit",
    paths: [`plans/${context.task}-complete.md`],
    accepts: "commit",
    tree: progress.tree,
  });
}

const listChangedFiles = ({ done }: Progress): readonly string[] =>
  [...new Set([...done.values()].flatMap(({ changed }) => changed))].sort();

/** Asks what evidence cannot decide before the run is complete, because a completed run cannot go back. */
async function commitWork(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  closed: ClosingState & WithSummary & { readonly answer: Decision },
): Promise<End | { readonly sentBack: readonly Finding[] }> {
  const { progress, decision, final, answer, summary, stated } = closed;
  const made = await verbs.commit(progress.tree, {
    message: buildCommitMessage(context, closed),
    because: [decision, answer],
    ...declareWork(stated, { parts: [progress.plan], approved: stated.approved }),
    caveats: listUnreviewed(progress, final),
    revisable: true,
  });
  if ("sentBack" in made) return { sentBack: made.sentBack.findings };
  const { commit, branch } = made;
  verbs.phase("COMPLETE");
  await verbs.note(
    describeRunState(progress, { state: "COMPLETE", phases: [], last: `committed to ${branch}`, next: "none" }),
  );
  return { status: "done", report: { commit, branch, ...buildEndReport(progress, summary) } };
}

function buildEndReport({ history }: Progress, outcome: Outcome) {
  const { lessons, reviewers, ...facts } = outcome;
  return {
    outcome: { ...facts, lessons: [...lessons], reviewers: { ...reviewers } },
    retries: countFaultsByClass(history.map(({ fault }) => fault)),
  };
}

export function formatRunSummary({ plan, done }: Progress, outcome: Outcome): string {
  const phases = [...done.values()].map(
    ({ phase, changed }) => `- ${phase.title}: ${changed.join(", ") || "read-only"}`,
  );
  return [
    `# ${plan.task_title}`,
    plan.summary,
    `Status: ${outcome.status}, ${outcome.completed} of ${outcome.planned} phases`,
    phases.join("\n"),
    "",
  ].join("\n\n");
}
