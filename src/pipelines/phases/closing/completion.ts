import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence, Verbs } from "../../../core/authoring/verbs.ts";
import { OWN_CHECKS } from "../../evidence-line.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import { COMPLETION_RULES, CONSISTENCY_RULES, type CompletionFacts, listPlannedFiles } from "../acting/acting-rules.ts";
import { listPhaseReports } from "../acting/phase.ts";
import { filterRedChecks } from "../acting/phase-checks.ts";
import { reconcileTodos } from "../acting/waves.ts";
import { decideGate } from "../events.ts";
import type { Progress } from "../progress.ts";
import type { ReviewVerdict } from "../review/code-review.ts";
import {
  assignFixes,
  fixByOwners,
  formatFinalReview,
  listSeriousFindings,
  runFinalReview,
} from "../review/final-review.ts";
import type { PhasesContext } from "../run-context.ts";
import { createTodos } from "../todo.ts";
import type { OverruledGate } from "./gate-lines.ts";
import { giveUp } from "./outcome.ts";
import { createObjection, sendBackWork } from "./rework.ts";
import { buildCommitMessage } from "./work-message.ts";

export type CompletionResult = {
  readonly decision: Decision;
  /** Check results for the tree that the decision is about. */
  readonly evidence: Pick<Evidence, "checks">;
  readonly overruled?: OverruledGate | undefined;
  readonly final?: ReviewVerdict | undefined;
  /** The reason why work that a person sent back was not reworked. */
  readonly unsettled?: string | undefined;
};
type CompletionInput = {
  readonly progress: Progress;
  readonly base: Tree;
  readonly reviews: boolean;
  readonly sentBack?: SentBackWork;
};
/** The findings with which a person sent the work back, and the message that its commit would have had. */
type SentBackWork = { readonly findings: readonly Finding[]; readonly message: string };

/**
 * Checks consistency across phases, then runs the final review if it is active. Its fixes go to the file owners, in one
 * fix cycle by default.
 */
export async function completeRun(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  work: CompletionInput,
): Promise<CompletionResult> {
  const { progress, reviews, sentBack } = work;
  const unsettled =
    sentBack && sentBack.findings.length > 0
      ? await sendBackWork(verbs, context, { progress, ...sentBack })
      : undefined;
  const { max_fix_cycles } = context.policy.final_review_gate;
  let final: ReviewVerdict | undefined;
  let issues: readonly Finding[] = [];
  let stuck: string | undefined;
  const result = await verbs.loop({ max: 1 + max_fix_cycles, stop: () => stuck }, async ({ round }) => {
    if (round > 1) stuck = await runFixes(verbs, context, { progress, issues });
    verbs.phase("REVIEWING");
    await reconcileTodos(verbs, progress);
    const whole = await collectFacts(verbs, work);
    const consistent = CONSISTENCY_RULES.every((rule) => rule.judge(whole).passed);
    if (!consistent) stuck = "the completion checks across phases failed";
    const { evidence, changed } = whole;
    const subject = { progress, base: work.base, evidence, changed, sentBack: sentBack?.findings };
    final = reviews && consistent ? await runFinalReview(verbs, context, subject) : undefined;
    const unheard = reviews && consistent && !final;
    issues = unheard ? [UNREVIEWED] : listSeriousFindings(final);
    if (assignFixes(progress.plan, issues).unowned.length > 0) stuck = "an issue is in a file that no phase owns";
    const decision = await decideCompletion(verbs, context, { ...whole, issues }, final);
    return { decision, evidence };
  });
  const { decision, evidence } = result;
  if (result.ended !== "passed")
    return askAboutFailedGate(verbs, context, { ...work, decision, evidence, final, unsettled });
  if (final) await verbs.write(`plans/artifacts/${context.task}/final_review.md`, formatFinalReview(final));
  return { decision, evidence, final, unsettled };
}

const UNREVIEWED: Finding = { severity: "major", message: "the whole work was not reviewed" };

async function runFixes(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, issues }: { readonly progress: Progress; readonly issues: readonly Finding[] },
): Promise<string | undefined> {
  verbs.phase("ACTING");
  const { owned } = assignFixes(progress.plan, issues);
  const done = await fixByOwners(verbs, context, { progress, owned });
  return done ? undefined : "a fix for the final review failed";
}

/** Collects the facts for the completion gate: what exists and what was planned. */
async function collectFacts(verbs: Verbs<unknown>, { progress, base }: CompletionInput): Promise<CompletionSubject> {
  const { plan, tree, done } = progress;
  const changes = await verbs.see("changes", { from: base, to: tree });
  const there = changes.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  const present = [...there];
  for (const path of listPlannedFiles(plan).filter((each) => !there.includes(each))) {
    if (await existsInTree(verbs, path, tree)) present.push(path);
  }
  const evidence: Evidence = await verbs.check(tree, { baseline: base, task: "whole" });
  return {
    plan,
    changed: changes.map(({ path }) => path),
    present,
    explained: listExplainedFiles(progress),
    complete: [...done.keys()],
    todo: createTodos(plan, [...progress.marked]),
    evidence,
    issues: [],
    tree: tree.tree,
  };
}

async function existsInTree({ see }: Verbs<unknown>, path: string, tree: Tree): Promise<boolean> {
  return (await see("file", { path, in: tree })) !== null;
}

/** Files that were deleted on purpose or that a report explains. */
export function listExplainedFiles({ done }: Pick<Progress, "done">): readonly string[] {
  const reports = [...done.values()].flatMap(listPhaseReports);
  return reports.flatMap(({ changes, not_changed }) => [
    ...changes.filter(({ action }) => action === "delete").map(({ file }) => file),
    ...not_changed.map(({ file }) => file),
  ]);
}

type CompletionSubject = CompletionFacts & { readonly tree: string; readonly evidence: Evidence };

/** Leaves the final-review rule out if no reviewer looked at the work, so that it cannot pass unseen. */
function decideCompletion(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  about: CompletionSubject,
  final: ReviewVerdict | undefined,
) {
  const isReviewed = about.issues.length > 0 || (final !== undefined && final.accepted_by === undefined);
  return decideGate(verbs, context, {
    type: "COMPLETION_GATE",
    rules: isReviewed ? COMPLETION_RULES : CONSISTENCY_RULES,
    about,
    asks: () => true,
    miss: () => "ABSTAIN",
    next: { go: "the completion summary is shown", miss: "the owners fix it, or a person decides" },
    extras: { safety_checks: ["scope_checked", "todo_verified"] },
  });
}

const GATE_LEADS = {
  accept: "you are asked whether to commit it",
  revise: "the work goes back with your note and is judged again",
  abort: "the run ends with the work done so far",
};

/** Red commands of the project. A commit is refused because of them. */
const listRedCommands = ({ checks }: Pick<Evidence, "checks">): readonly string[] =>
  filterRedChecks(checks)
    .filter(({ name }) => !OWN_CHECKS.includes(name))
    .map(({ name, outcome }) => `${name}: ${outcome}`);

/** Asks a person to accept the work or to send it back, as often as they like. */
async function askAboutFailedGate(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  work: CompletionInput & CompletionResult,
): Promise<CompletionResult> {
  const { progress, decision, evidence, final, unsettled } = work;
  verbs.phase("WAITING_APPROVAL");
  const red = listRedCommands(evidence);
  const details = { ...pickNonEmpty({ red }), ...(unsettled === undefined ? {} : { unsettled }) };
  const answer = await verbs.ask({
    title:
      red.length > 0
        ? `The work cannot be committed: ${red.join(", ")}. Send it back?`
        : "The completion gate still blocks. Accept the work as it is?",
    show: Object.keys(details).length === 0 ? decision.findings : { ...details, findings: decision.findings },
    // A commit with red checks is refused even if a person accepts it, so `accept` is not offered.
    choices: [...(red.length > 0 ? [] : (["accept"] as const)), "revise", "abort"],
    words: ["revise"],
    revises: "revise",
    auto: "never",
    accepts: "accept",
    tree: progress.tree,
    leads: GATE_LEADS,
  });
  if (answer.choice === "accept") {
    const overruled = { by: answer.by, findings: decision.findings.map(({ message }) => message) };
    return { decision: answer.decision, evidence, overruled, final, unsettled };
  }
  if (answer.choice === "abort") {
    return giveUp(verbs, context, { progress, reason: "the completion gate was not passed" });
  }
  const sentBack = {
    findings: [createObjection(answer), ...decision.findings],
    message: buildCommitMessage(context, work),
  };
  return verbs.within("again", () => repeatCompletion(verbs, context, { ...work, sentBack }), { repeats: true });
}

/** Runs the completion again for work that was sent back: WAITING_APPROVAL, then ACTING, then the gate. */
export function repeatCompletion(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  work: Omit<CompletionInput, "reviews">,
): Promise<CompletionResult> {
  verbs.phase("ACTING");
  return completeRun(verbs, context, { ...work, reviews: true });
}
