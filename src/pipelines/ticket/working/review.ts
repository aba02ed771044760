import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import { cutDiff } from "../../check-finding.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import { toYaml } from "../artifacts.ts";
import type { TicketContext } from "../context.ts";
import { type Report, type ReviewReport, type Task, WrittenReport } from "../contracts.ts";
import { toIsoTime } from "../files/progress.ts";
import { readYaml } from "../files/yaml-file.ts";
import { isTested, toOutcomeWord } from "../preparing/commands.ts";
import { createRequestInput } from "../preparing/request-input.ts";
import { ROWS, reviewer } from "../roles.ts";
import { ACCEPTED, ALL_ACCEPTED, CHANGED, GREEN } from "../rules.ts";
import type { IterationContext } from "./attempts.ts";
import { describeChecks } from "./describe-checks.ts";
import { listObjections } from "./work-review.ts";

export type ReviewedIteration = {
  readonly decision: Decision;
  readonly report: string;
  readonly evidence: Evidence;
  /** Task descriptions for the commit message. */
  readonly done: readonly string[];
};

/** Runs step O6: one review of everything. The next iteration plans from its whole report. */
export async function reviewIteration(iteration: IterationContext, tree: Tree): Promise<ReviewedIteration> {
  const { context, board, base } = iteration;
  const { ticketFiles, check, gate, see, jira } = context;
  await ticketFiles.at("O6", { current_task_id: null, current_task_attempt: 0 });
  const all = await gate("tasks", [ALL_ACCEPTED], { statuses: board.statuses() });
  if (!all.passed)
    return context.fail(`not every task was accepted: ${all.findings.map((each) => each.message).join("; ")}`);
  const evidence = await check(tree, { baseline: base, task: jira });
  const { tasks } = board.file();
  const before = iteration.earlier.filter((done) => tasks.every(({ description }) => description !== done));
  const input = {
    mode: "prompt-review",
    jira,
    iteration: ticketFiles.progress().iteration_number,
    request: createRequestInput(context.prompt),
    ...pickNonEmpty({ earlier: iteration.objections.get(WHOLE) ?? [], tasks_before: before }),
    tasks: tasks.map(toTaskGoal),
    diff: cutDiff(await see("diff", { from: base, to: tree })),
    ...describeChecks(evidence),
    ...formatOutcomes(context, evidence),
  };
  const said = await askReviewer(context, tree, input);
  iteration.objections.set(WHOLE, listObjections(said));
  const report = await writeReport(context, evidence, { ...said, mode: "prompt-review" });
  const about = {
    report: said,
    evidence,
    conflicts: [],
    changed: await listChangedPaths(iteration, tree),
    tree: tree.tree,
  };
  const decision = await gate("iteration", [ACCEPTED, GREEN, CHANGED], about);
  return { report, evidence, decision, done: listDescriptions(iteration) };
}

/** Key of the review of the whole; no task has this name. */
const WHOLE = "prompt-review";

/** Writes a rejection with a person's note as the report that the next iteration plans from. */
export async function rejectIteration(
  context: TicketContext,
  { evidence }: ReviewedIteration,
  { findings }: Decision,
): Promise<string> {
  const summary = "Accepted by the review and sent back by a person before the commit.";
  const said = { status: "REJECTED" as const, summary, criteria: [], findings: findings.map(toObjection) };
  const report = await writeReport(context, evidence, { ...said, mode: "prompt-review" });
  await context.ticketFiles.closeIteration("REJECTED");
  return report;
}

const toObjection = ({ severity, message }: Finding) => ({ severity, message });

/** Reduces a task to its goal. Attempts and earlier acceptance are no evidence for the review of the whole. */
const toTaskGoal = ({ id, description, success_criteria }: Task) => ({ id, description, success_criteria });

/**
 * Asks the Reviewer for a report. Its file overrides its answer, but both must have the same status. An unusable file
 * is returned to it once with the problem.
 */
async function askReviewer(context: TicketContext, tree: Tree, input: object): Promise<ReviewReport> {
  const first = await askOnce(context, tree, input);
  if (!("problem" in first)) return first;
  const second = await askOnce(context, tree, { ...input, problem: first.problem });
  return "problem" in second ? context.fail(second.problem) : second;
}

async function askOnce(
  context: TicketContext,
  tree: Tree,
  input: object,
): Promise<ReviewReport | { readonly problem: string }> {
  const row = ROWS.Reviewer(context.ticketFiles.folder());
  const [path = ""] = row.writes;
  const outcome = await context.attempt(reviewer, { ...input, output: path }, { in: tree, ...row });
  const { status, summary, criteria, findings, changed, after } = await context.heard("Reviewer", outcome);
  const said = { status, summary, criteria, findings };
  const file = changed.includes(path) ? await context.see("file", { path, in: after }) : null;
  if (!file) return said;
  const written = readYaml(file.text, WrittenReport);
  if (!written.ok) return { problem: `${path}: ${written.problems.join("; ")}` };
  if (written.value.status !== status)
    return { problem: `${path} says ${written.value.status}, the Reviewer ${status}` };
  return mergeReports(said, written.value);
}

/** Merges the answer and the file; a finding in either counts. */
function mergeReports(said: ReviewReport, written: ReviewReport): ReviewReport {
  const criteria = new Map([...written.criteria, ...said.criteria].map((each) => [JSON.stringify(each), each]));
  const findings = new Map([...written.findings, ...said.findings].map((each) => [each.message, each]));
  const summary = written.summary || said.summary;
  return { ...written, summary, criteria: [...criteria.values()], findings: [...findings.values()] };
}

/**
 * Accepts a trivial task without a review. Returns undefined if its tests do not prove it, so that it is reviewed.
 * @rule T-51 (declaration) The auto-accept report contains status, mode, build, tests, files_verified, notes and
 *   reviewed_at. A red build or test re-runs the developer.
 */
export async function acceptTrivial(iteration: IterationContext, tree: Tree): Promise<ReviewedIteration | undefined> {
  const { context, base } = iteration;
  const evidence = await context.check(tree, { baseline: base, task: context.jira });
  const about = { evidence, conflicts: [], changed: await listChangedPaths(iteration, tree), tree: tree.tree };
  if (GREEN.judge(about).passed && !isTested(context.commands, evidence)) return undefined;
  const decision = await context.gate("iteration", [GREEN, CHANGED], about);
  const notes = "One small task, its files checked; see build and tests.";
  const plain = { status: "ACCEPTED" as const, summary: notes, criteria: [], findings: [] };
  const trivial = { mode: "auto-accept-trivial" as const, files_verified: true, notes };
  const report = decision.passed ? await writeReport(context, evidence, { ...plain, ...trivial }) : "";
  if (decision.passed) await context.ticketFiles.save({}, "trivial.auto_accept");
  return { decision, report, evidence, done: listDescriptions(iteration) };
}

const listDescriptions = ({ board }: IterationContext): readonly string[] =>
  board.file().tasks.map(({ description }) => description);

/** Compares with the start of the run, so that earlier commits of the ticket's branch count. */
const listChangedPaths = async ({ context }: IterationContext, tree: Tree): Promise<readonly string[]> =>
  (await context.see("changes", { from: context.head, to: tree })).map(({ path }) => path);

export const formatOutcomes = ({ commands }: TicketContext, evidence: Evidence) => ({
  build: toOutcomeWord(evidence, commands.build),
  tests: toOutcomeWord(evidence, commands.test),
});

type ReviewerReport = Omit<Report, "build" | "tests" | "reviewed_at">;

async function writeReport(context: TicketContext, evidence: Evidence, said: ReviewerReport): Promise<string> {
  const reviewed_at = toIsoTime(await context.see("now"));
  const text = toYaml({ ...said, ...formatOutcomes(context, evidence), reviewed_at });
  await context.ticketFiles.keep("review_report.yaml", text);
  return text;
}
