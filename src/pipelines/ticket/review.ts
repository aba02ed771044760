import type { Decision } from "../../core/decision.ts";
import type { Tree } from "../../core/tree.ts";
import type { Evidence } from "../../core/verbs.ts";
import { yamlOf } from "./artifacts.ts";
import type { Place } from "./attempts.ts";
import { isTested, wordFor } from "./commands.ts";
import { type Report, type Reviewed, WrittenReport } from "./contracts.ts";
import type { Desk } from "./desk.ts";
import { readYaml } from "./problems.ts";
import { isoOf } from "./progress.ts";
import { ROWS, reviewer } from "./roles.ts";
import { ACCEPTED, ALL_ACCEPTED, CHANGED, GREEN } from "./rules.ts";

export type Reviewing = { readonly decision: Decision; readonly report: string; readonly evidence: Evidence };

/** Step O6: one review of everything; its whole report is what the next iteration plans from. */
export async function reviewIteration(place: Place, tree: Tree): Promise<Reviewing> {
  const { desk, board, base } = place;
  const { book, check, gate, see, jira } = desk;
  await book.at("O6", { current_task_id: null, current_task_attempt: 0 });
  const all = await gate("tasks", [ALL_ACCEPTED], { statuses: board.statuses() });
  if (!all.passed)
    return desk.fail(`not every task was accepted: ${all.findings.map((each) => each.message).join("; ")}`);
  const evidence = await check(tree, { baseline: base, task: jira });
  const input = {
    mode: "prompt-review",
    jira,
    iteration: book.progress().iteration_number,
    prompt: desk.prompt,
    tasks: board.file().tasks,
    diff: await see("diff", { from: base, to: tree }),
    evidence,
    ...wordsOf(desk, evidence),
  };
  const said = await askReviewer(desk, tree, input);
  const report = await keepReport(desk, evidence, { ...said, mode: "prompt-review" });
  const about = { report: said, evidence, conflicts: [], changed: await changedIn(place, tree), tree: tree.tree };
  return { report, evidence, decision: await gate("iteration", [ACCEPTED, GREEN, CHANGED], about) };
}

/** Its report is what it wrote in this attempt, otherwise what it says; the two must not speak of different verdicts. */
async function askReviewer(desk: Desk, tree: Tree, input: object): Promise<Reviewed> {
  const row = ROWS.Reviewer(desk.book.folder());
  const [path = ""] = row.writes;
  const outcome = await desk.attempt(reviewer, { ...input, output: path }, { in: tree, ...row });
  const { status, summary, criteria, findings, changed, after } = await desk.heard("Reviewer", outcome);
  const said = { status, summary, criteria, findings };
  const file = changed.includes(path) ? await desk.see("file", { path, in: after }) : null;
  if (!file) return said;
  const written = readYaml(file.text, WrittenReport);
  if (!written.ok) return desk.fail(`${path}: ${written.problems.join("; ")}`);
  if (written.value.status !== status) return desk.fail(`${path} says ${written.value.status}, the Reviewer ${status}`);
  return both(said, written.value);
}

/** An objection counts wherever it was made. */
function both(said: Reviewed, written: Reviewed): Reviewed {
  const criteria = new Map([...written.criteria, ...said.criteria].map((each) => [JSON.stringify(each), each]));
  const findings = new Map([...written.findings, ...said.findings].map((each) => [each.message, each]));
  const summary = written.summary || said.summary;
  return { ...written, summary, criteria: [...criteria.values()], findings: [...findings.values()] };
}

/**
 * The trivial path: every command was run at the top of the tree, the tests speak for it and its files are its own, so
 * nobody needs to look. Undefined where nothing speaks for it: then somebody does.
 */
export async function acceptTrivial(place: Place, tree: Tree): Promise<Reviewing | undefined> {
  const { desk, base } = place;
  const evidence = await desk.check(tree, { baseline: base, task: desk.jira });
  const about = { evidence, conflicts: [], changed: await changedIn(place, tree), tree: tree.tree };
  if (GREEN.judge(about).passed && !isTested(desk.commands, evidence)) return undefined;
  const decision = await desk.gate("iteration", [GREEN, CHANGED], about);
  const notes = "One small task, its files checked; see build and tests.";
  const plain = { status: "ACCEPTED" as const, summary: notes, criteria: [], findings: [] };
  const trivial = { mode: "auto-accept-trivial" as const, files_verified: true, notes };
  const report = decision.passed ? await keepReport(desk, evidence, { ...plain, ...trivial }) : "";
  if (decision.passed) await desk.book.save({}, "trivial.auto_accept");
  return { decision, report, evidence };
}

/** Since the run began: what a ticket's branch has brought along counts. */
const changedIn = async ({ desk }: Place, tree: Tree): Promise<readonly string[]> =>
  (await desk.see("changes", { from: desk.head, to: tree })).map(({ path }) => path);

export const wordsOf = ({ commands }: Desk, evidence: Evidence) => ({
  build: wordFor(evidence, commands.build),
  tests: wordFor(evidence, commands.test),
});

type Said = Omit<Report, "build" | "tests" | "reviewed_at">;

async function keepReport(desk: Desk, evidence: Evidence, said: Said): Promise<string> {
  const reviewed_at = isoOf(await desk.see("now"));
  const text = yamlOf({ ...said, ...wordsOf(desk, evidence), reviewed_at });
  await desk.book.keep("review_report.yaml", text);
  return text;
}
