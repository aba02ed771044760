import type { Finding } from "../../../core/authoring/finding.ts";
import type { Change } from "../../../core/authoring/observations.ts";
import { isTestHelper, isTestWork } from "../../../core/checks/exam/exam-path.ts";
import { findIgnoredTests } from "../../../core/checks/exam/text/ignored-tests.ts";
import { checkScope } from "../../../core/checks/guard/scope.ts";
import { type ChangedText, listParsedPaths } from "../../../core/checks/guard/syntax-check.ts";
import type { TestChange } from "../../../core/checks/outcome/fewer-tests.ts";
import type { CheckedCommand, Inspection } from "../../../core/journal/effect.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { readOnThread } from "./reading.ts";

/** Larger files are judged by their name alone. */
const TEXT_LIMIT = 8 * 1024 * 1024;
/** Limit for all texts together: they are held in memory at once. */
const TEXTS_LIMIT = 64 * 1024 * 1024;

type InspectionOrder = { readonly tree: string; readonly inspection: Inspection; readonly signal?: AbortSignal };

/** Runs the engine's own checks of a tree against the one that the work started from. */
export async function inspectTree(
  workspace: Workspace,
  { tree, inspection, signal }: InspectionOrder,
): Promise<readonly CheckedCommand[]> {
  const { baseline, declared, protectedPaths, testCounts, tests } = inspection;
  if (tests) return [await inspectTests(workspace, { tree, baseline, tests, ...(signal ? { signal } : {}) })];
  const changes = await workspace.changes(baseline, tree);
  const { texts, unread } = await readTexts(workspace, { changes, baseline, tree });
  const changed = changes.map((change) => change.path);
  const question = { changes: texts, protectedPaths, ...(testCounts ? { testCounts } : {}) };
  const judged = await judgeChanges(question, signal);
  return [
    ...(declared ? [toCheckResult("scope", checkScope({ changed, declared }))] : []),
    toTamperResult({ ...judged, guarded: [...createUnreadFindings(unread), ...judged.guarded] }),
    ...toParsesResult(texts, judged.unparsed),
  ];
}

type TestsOrder = {
  readonly tree: string;
  readonly baseline: string;
  readonly tests: NonNullable<Inspection["tests"]>;
  readonly signal?: AbortSignal;
};

/** Compares the tests of two trees, file by file, and shows how those files differ. */
async function inspectTests(workspace: Workspace, order: TestsOrder): Promise<CheckedCommand> {
  const { tree, baseline, signal } = order;
  const { paths, sources = [], ...fates } = order.tests;
  const all = await workspace.changes(baseline, tree);
  const changes = all.filter(({ path }) => paths.includes(path));
  const helpers = await findHelpers(workspace, { ...order, changes: all.filter(({ path }) => sources.includes(path)) });
  const acting = await inspectSources(workspace, {
    ...order,
    changes: all.filter(({ path }) => sources.includes(path)),
  });
  const { texts, unread } = await readTexts(workspace, { changes, baseline, tree });
  const chars = texts.reduce((sum, change) => sum + measureText(change), 0);
  const question = { changes: [...texts, ...helpers], ...fates };
  const reading = await readOnThread({ name: "lostTests", question, chars, ...(signal ? { signal } : {}) });
  const lost = "answer" in reading ? reading.answer : { unreplaced: [UNREADABLE], replaced: [] };
  const shown = [...changes, ...helpers].map(({ path }) => path).concat(acting.paths);
  const diff = shown.length === 0 ? "" : await workspace.diff(baseline, tree, shown);
  const unseen = unread.length > 0 ? [UNREADABLE] : [];
  return {
    ...toCheckResult("lost-tests", []),
    lost: {
      unreplaced: [...lost.unreplaced, ...unseen, ...acting.doubts],
      replaced: [...lost.replaced, ...acting.caveats],
      diff: shortenDiff(diff),
    },
  };
}

/** Changed files that only tests can use, wherever they lie: they are written for a test program. */
async function findHelpers(workspace: Workspace, { tree, baseline, changes }: SourcesOrder) {
  const { texts } = await readTexts(workspace, { changes, baseline, tree });
  return texts.filter(({ path, before = "" }) => isTestHelper(path, before));
}

type SourcesOrder = Omit<TestsOrder, "tests"> & { readonly changes: readonly Change[] };

/** Finds code that acts on the tests, and ignore rules that hide tests from git. */
async function inspectSources(workspace: Workspace, { tree, baseline, signal, changes }: SourcesOrder) {
  const { texts } = await readTexts(workspace, { changes, baseline, tree });
  const chars = texts.reduce((sum, change) => sum + measureText(change), 0);
  const reading = await readOnThread({ name: "testAwareCode", question: texts, chars, ...(signal ? { signal } : {}) });
  const { doubts, caveats } = "answer" in reading ? reading.answer : { doubts: [], caveats: [] };
  const ignores = texts.filter(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  const tests = ignores.length > 0 ? (await workspace.files("", tree)).filter((path) => isTestWork(path)) : [];
  const ignored = ignores.flatMap((change) => findIgnoredTests(change, tests));
  const all = [...doubts, ...ignored];
  return { doubts: all, caveats, paths: selectSources(all, changes) };
}

function selectSources(messages: readonly string[], changes: readonly Change[]): readonly string[] {
  return changes.map(({ path }) => path).filter((path) => messages.some((message) => message.startsWith(path)));
}

const UNREADABLE = "The changed tests are too large to compare with the old ones.";
const MOST_DIFF_LINES = 60;
const MOST_LINE = 160;

/** Selects the changed lines with the names of their files. */
function shortenDiff(diff: string): readonly string[] {
  const lines = diff
    .split("\n")
    .filter((line) => /^(?:[-+](?!\+\+ |-- )|--- a\/|\+\+\+ b\/)/.test(line))
    .map((line) => (line.length > MOST_LINE ? `${line.slice(0, MOST_LINE - 1)}…` : line));
  const more = lines.length - MOST_DIFF_LINES;
  return more > 0 ? [...lines.slice(0, MOST_DIFF_LINES), `and ${more} more lines`] : lines;
}

/** Reports the parser only if a changed file is of a kind that it reads: a check that read nothing has not passed. */
function toParsesResult(texts: readonly ChangedText[], unparsed: readonly Finding[]): readonly CheckedCommand[] {
  const read = listParsedPaths(texts);
  if (read.length === 0) return [];
  const result = toCheckResult("parses", unparsed);
  const others = texts.length - read.length;
  const unread = others > 0 ? `; ${others} of another kind not read` : "";
  return [result.exitCode === 0 ? { ...result, snippet: `read ${read.join(", ")}${unread}`.slice(0, 500) } : result];
}

type TamperInput = {
  readonly changes: readonly (Change & ChangedText)[];
  readonly protectedPaths: readonly string[];
  readonly testCounts?: readonly TestChange[];
};
type InspectionResult = {
  readonly guarded: readonly Finding[];
  readonly suspected: readonly Finding[];
  readonly unparsed: readonly Finding[];
  readonly lost: readonly string[];
};

/** A text that could not be read within the limits is a finding: it may hold anything. */
async function judgeChanges(question: TamperInput, signal: AbortSignal | undefined): Promise<InspectionResult> {
  const chars = question.changes.reduce((sum, change) => sum + measureText(change), 0);
  const reading = await readOnThread({ name: "changes", question, chars, ...(signal ? { signal } : {}) });
  if ("answer" in reading) return reading.answer;
  const largest = question.changes.toSorted((a, b) => measureText(b) - measureText(a)).slice(0, 3);
  const message = `the changed texts could not be read within the limit of ${reading.over}; the largest are ${largest.map(({ path }) => path).join(", ")}`;
  return { guarded: [{ severity: "critical", message, by: "tamper" }], suspected: [], unparsed: [], lost: [] };
}

function measureText({ before = "", after = "" }: ChangedText): number {
  return before.length + after.length;
}

function createUnreadFindings(unread: readonly string[]): readonly Finding[] {
  if (unread.length === 0) return [];
  const message = `more than ${TEXTS_LIMIT} characters were changed; ${unread.length} files were not read, the first of them ${unread[0]}`;
  return [{ severity: "critical", message, files: unread.slice(0, 20), by: "tamper" }];
}

type ChangedTrees = { readonly changes: readonly Change[]; readonly baseline: string; readonly tree: string };

async function readTexts(workspace: Workspace, { changes, baseline, tree }: ChangedTrees) {
  const texts: (Change & ChangedText)[] = [];
  const unread: string[] = [];
  let left = TEXTS_LIMIT;
  for (const change of changes) {
    const text: Change & ChangedText = left > 0 ? await readChangeTexts(workspace, { change, baseline, tree }) : change;
    left -= measureText(text);
    texts.push(left > 0 ? text : change);
    if (left <= 0) unread.push(change.path);
  }
  return { texts, unread };
}

async function readChangeTexts(
  workspace: Workspace,
  at: { readonly change: Change; readonly baseline: string; readonly tree: string },
): Promise<Change & ChangedText> {
  const { change } = at;
  const [before, after] = await Promise.all([
    change.status === "added" ? null : workspace.file(change.path, at.baseline),
    change.status === "deleted" ? null : workspace.file(change.path, at.tree),
  ]);
  return { ...change, ...toTextField("before", before?.text), ...toTextField("after", after?.text) };
}

function toTextField<K extends string>(name: K, text: string | undefined): { [key in K]?: string } {
  // One property, named by the caller.
  return text === undefined || text.length > TEXT_LIMIT ? {} : ({ [name]: text } as { [key in K]?: string });
}

/** Separates findings that an exam can decide. */
function toTamperResult({ guarded, suspected, lost }: InspectionResult): CheckedCommand {
  const result = toCheckResult("tamper", [...guarded, ...suspected]);
  if (suspected.length > 0) return { ...result, suspected };
  // No finding, but also no reason to say that no test was weakened.
  return result.exitCode === 0 && lost.length > 0 ? { ...result, snippet: lost.join("; ").slice(0, 500) } : result;
}

function toCheckResult(name: string, findings: readonly Finding[]): CheckedCommand {
  return {
    name,
    command: `signalbox ${name}`,
    exitCode: findings.length === 0 ? 0 : 1,
    ms: 0,
    digest: "",
    snippet: findings
      .map((finding) => finding.message)
      .join("; ")
      .slice(0, 500),
    findings,
  };
}
