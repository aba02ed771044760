import { getTestFile, getTestTitle } from "../exam/test-name.ts";
import { DEFINITION } from "./assert-helpers.ts";
import { type Assertion, readAssertions, readCallees, readValues } from "./assertions.ts";
import { maskComments } from "./code-mask.ts";
import { subtractLines, takeLine, tallyLines } from "./line-tally.ts";
import { getTestLanguage } from "./test-language.ts";
import type { TextChange } from "./text-change.ts";

/** Results of an exam for its tests, by name. */
export type TestFates = {
  /** Tests that are removed from the new exam, or skipped there, although they pass on the new code. */
  readonly dropped: readonly string[];
  readonly skipped: readonly string[];
  /** Tests whose old form fails on the new code: announced, or part of a question anyway. */
  readonly named: readonly string[];
  /** Passing tests whose names the old exam does not have. */
  readonly added: readonly string[];
};

export type LostTestsRequest = TestFates & {
  /** Changed files of the exam. */
  readonly changes: readonly TextChange[];
};

/** Tests and assertions that a change removes or loosens while everything stays green. */
export type LostTests = {
  /** Losses for which no remaining test is known to detect a fault. */
  readonly unreplaced: readonly string[];
  /** Losses for which other tests still check the same code. */
  readonly replaced: readonly string[];
};

/**
 * Compares the old tests with the new ones. An assertion that was moved, or written differently with the same calls and
 * values, is not lost; neither is a test under another title or in another group.
 * @rule A-40 (gate) A test or an assertion that disappears or is loosened while everything is green is a caveat; a
 *   person decides if no remaining test checks the same code.
 */
export function findLostTests(question: LostTestsRequest): LostTests {
  const exam = readExam(question.changes);
  const gone = exam.gone
    .filter((assertion) => !isNamedAssertion(assertion, question.named))
    .map((assertion) => judge(assertion, exam));
  const lost = gone.filter(({ fate }) => fate !== "restated");
  const tests = classifyDroppedTests(question, exam, lost);
  const listed = (fate: LostAssertion["fate"], says: string) =>
    [
      ...Map.groupBy(
        lost.filter((each) => each.fate === fate),
        ({ assertion }) => assertion.path,
      ),
    ].map(([path, some]) => `${path}: ${says}: ${shown(some.map(({ assertion }) => assertion.text))}.`);
  return {
    unreplaced: [
      ...tests.unreplaced,
      ...listed("unreplaced", "assertions are gone or looser, and no remaining test checks what they did"),
    ],
    replaced: [
      ...tests.replaced,
      ...listed("replaced", "assertions are gone or looser, and other tests still check the same code"),
    ],
  };
}

type LostTestsExam = {
  readonly old: readonly Assertion[];
  readonly now: readonly Assertion[];
  /** Texts of the old assertions. */
  readonly known: ReadonlySet<string>;
  /** Old assertions whose exact text no longer exists. */
  readonly gone: readonly Assertion[];
  /** New assertions by the functions that they call. Comparing all pairs would be quadratic in a large file. */
  readonly byCallee: ReadonlyMap<string, readonly Assertion[]>;
  readonly texts: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** Literals on new lines. */
  readonly newValues: ReadonlySet<string>;
  /** New assertions about names alone, and the values that new lines assign to names. */
  readonly aboutNames: readonly Assertion[];
  readonly assigned: ReadonlyMap<string, string>;
  /** True if every literal of a removed line is on a new line, and no new line could skip a case. */
  readonly keepsCases: boolean;
};

function readExam(changes: readonly TextChange[]): LostTestsExam {
  const read = (side: "before" | "after") => {
    const readAll = (comparers?: ReadonlySet<string>) =>
      changes.flatMap((change) => {
        const language = getTestLanguage(change.path);
        return language ? readAssertions(change.path, change[side] ?? "", language, comparers) : [];
      });
    const found = readAll();
    const comparers = findComparers(
      found,
      changes.map((change) => change[side] ?? ""),
    );
    return comparers.size > 0 ? readAll(comparers) : found;
  };
  const [old, now] = [read("before"), read("after")];
  const left = tallyLines(now.map(({ text }) => text));
  const texts = { before: changes.map(({ before = "" }) => before), after: changes.map(({ after = "" }) => after) };
  const lines = (side: "before" | "after") =>
    changes.flatMap((change) => {
      const language = getTestLanguage(change.path);
      const text = change[side] ?? "";
      return (language ? maskComments(text, language.syntax) : text).split("\n");
    });
  const fresh = subtractLines(lines("after"), lines("before"));
  return {
    old,
    now,
    known: new Set(old.map(({ text }) => text)),
    byCallee: groupByCallee(now),
    gone: old.filter(({ text }) => !takeLine(left, text)),
    texts,
    newValues: new Set(fresh.flatMap(readValues)),
    aboutNames: findAboutNames(old, now),
    assigned: readAssignments(fresh),
    keepsCases: keepsCases(subtractLines(lines("before"), lines("after")), fresh),
  };
}

/** Column names of a table may have become variables. */
function keepsCases(gone: readonly string[], fresh: readonly string[]): boolean {
  const values = new Set(fresh.flatMap(readValues));
  const words = new Set(fresh.join(" ").match(/\w+/g) ?? []);
  const isKept = (value: string) =>
    values.has(value) || (/^"[\w, ]+"$/.test(value) && (value.match(/\w+/g) ?? []).every((word) => words.has(word)));
  return gone.flatMap(readValues).every(isKept) && !fresh.some((line) => LEAVES_OUT.test(line));
}

/** New line that could skip a case: a branch, an early end, a slice or an empty list. */
const LEAVES_OUT =
  /\b(?:if|break|continue|return|try|except|catch|pass|filter)\b|\[[^\]]{0,200}:[^\]]{0,200}\]|\.slice\(|=\s*(?:\[\s*\]|\(\s*\))/;

/**
 * Finds helpers that only compare their parameters. A call of one is an assertion about its arguments. A helper that
 * branches or catches may compare nothing.
 */
function findComparers(assertions: readonly Assertion[], texts: readonly string[]): ReadonlySet<string> {
  const comparing = assertions.filter((each) => isGeneric(each) && each.strict && isComparingNames(each.text));
  const names = new Set(comparing.flatMap(({ helper }) => helper ?? []));
  return new Set([...names].filter((name) => texts.every((text) => !hasMoreWork(text, name))));
}

const TWO_NAMES =
  /\b([A-Za-z_]\w*)\s*(?:===?|!==?|is)\s*([A-Za-z_]\w*)\b|\(\s*([A-Za-z_]\w*)\s*(?:,|\)\.\w+\()\s*([A-Za-z_]\w*)\s*\)/;

function isComparingNames(text: string): boolean {
  const [left, right] =
    TWO_NAMES.exec(text)
      ?.slice(1)
      .filter((name) => name !== undefined) ?? [];
  return left !== undefined && right !== undefined && left !== right;
}

const BRANCH_OR_ASSIGNMENT =
  /\b(?:if|else|for|while|try|except|catch|rescue|return|with|unless|switch|match)\b|(?<![=!<>])=(?![=>])/;

/** The body extends to the next unindented line. */
function hasMoreWork(text: string, name: string): boolean {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => DEFINITION.exec(line)?.slice(1).includes(name) === true);
  if (start < 0) return false;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^[^\s})]/.test(line));
  const body = rest.slice(0, end < 0 ? rest.length : end);
  return body.some((line) => BRANCH_OR_ASSIGNMENT.test(line));
}

function findAboutNames(old: readonly Assertion[], now: readonly Assertion[]): readonly Assertion[] {
  const known = new Set(old.map(({ text }) => text));
  return now.filter(({ text, callees, names }) => callees.size === 0 && names.size > 0 && !known.has(text));
}

function readAssignments(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] =
        /^\s*(?:const |let |var |auto )?([A-Za-z_$][\w$]*)(?::[^=]{0,80})?\s*:?=(?!=)(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function groupByCallee(assertions: readonly Assertion[]): ReadonlyMap<string, readonly Assertion[]> {
  const index = new Map<string, Assertion[]>();
  for (const assertion of assertions)
    for (const callee of assertion.callees) {
      const known = index.get(callee);
      if (known) known.push(assertion);
      else index.set(callee, [assertion]);
    }
  return index;
}

/** Selects the assertions that call one of its functions, or all if it calls none. */
function selectCandidates({ callees }: Assertion, { now, byCallee }: LostTestsExam): readonly Assertion[] {
  const [first] = callees;
  return first === undefined ? now : (byCallee.get(first) ?? []);
}

type LostAssertion = { readonly assertion: Assertion; readonly fate: "restated" | "replaced" | "unreplaced" };

function judge(assertion: Assertion, exam: LostTestsExam): LostAssertion {
  if (isRestated(assertion, exam)) return { assertion, fate: "restated" };
  return { assertion, fate: isCovered(assertion, exam) ? "replaced" : "unreplaced" };
}

/** Returns whether the same calls exist with every value in the assertion or on a new line, as in a table of cases. */
function isRestated(lost: Assertion, exam: LostTestsExam): boolean {
  const { now, newValues, texts, known } = exam;
  if (isGeneric(lost)) {
    const isDefined = texts.after.some(
      (text) => lost.helper !== undefined && new RegExp(`\\b${lost.helper}\\b`).test(text),
    );
    const same = now.some(
      (other) => other.path === lost.path && isAsStrict(other, lost) && isWithin(lost.names, other.names),
    );
    // A helper that was removed entirely has no callers.
    return same || (lost.helper !== undefined && !isDefined);
  }
  // An existing assertion takes no values from new lines.
  const values = (other: Assertion) => (known.has(other.text) ? [other.values] : [other.values, newValues]);
  const direct = selectCandidates(lost, exam).some(
    (other) =>
      isAsStrict(other, lost) && isWithin(lost.callees, other.callees) && isWithin(lost.values, ...values(other)),
  );
  return direct || isNamedFirst(lost, exam);
}

/** Returns whether the result was assigned to a name that is compared with the same value. */
function isNamedFirst(lost: Assertion, { aboutNames, assigned, newValues }: LostTestsExam): boolean {
  const isCallAssigned = (name: string) =>
    [...lost.callees].every((callee) => assigned.get(name)?.includes(`${callee}(`));
  return aboutNames.some(
    (other) =>
      isAsStrict(other, lost) &&
      [...lost.values].some((value) => other.values.has(value)) &&
      isWithin(lost.values, other.values, newValues) &&
      [...other.names].some(isCallAssigned),
  );
}

/**
 * Returns whether others compare results of the same functions; if it calls none, whether the same test still compares
 * something.
 */
function isCovered(lost: Assertion, exam: LostTestsExam): boolean {
  const named = lost.callees.size > 0 ? lost : { ...lost, callees: findNamedCallees(lost, exam) };
  if (named.callees.size > 0) return isStillCalled(named, exam);
  if (isGeneric(lost)) return false;
  return lost.title !== "" && exam.now.some((other) => other.title === lost.title && isAsStrict(other, lost));
}

/** Finds the functions whose results have the names that this assertion compares, within its own test. */
function findNamedCallees({ header, names }: Assertion, { texts }: LostTestsExam): ReadonlySet<string> {
  if (header === "") return new Set();
  const bodies = texts.before.flatMap((text) => findBody(text.split("\n"), header));
  const assigned = readAssignments(bodies);
  return new Set([...names].flatMap((name) => readCallees(assigned.get(name) ?? "")));
}

/** Returns the lines below this one, up to the next with the same or less indentation. */
function findBody(lines: readonly string[], header: string): readonly string[] {
  const start = lines.findIndex((line) => line.trim() === header);
  if (start < 0) return [];
  const margin = readIndent(lines[start] ?? "");
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && readIndent(line) <= margin);
  return end < 0 ? rest : rest.slice(0, end);
}

const readIndent = (line: string): number => line.length - line.trimStart().length;

/** An assertion that compared nothing is covered by any assertion about one of its functions. */
function isStillCalled(lost: Assertion, { byCallee }: LostTestsExam): boolean {
  const isChecked = (callee: string) => byCallee.get(callee)?.some((other) => isAsStrict(other, lost)) === true;
  const callees = [...lost.callees];
  return lost.strict ? callees.every(isChecked) : callees.some(isChecked);
}

/** Matches an assertion of a helper, which refers only to its parameters. */
const isGeneric = ({ callees, values }: Assertion): boolean => callees.size === 0 && values.size === 0;

const isWithin = (some: ReadonlySet<string>, ...sets: readonly ReadonlySet<string>[]): boolean =>
  [...some].every((each) => sets.some((set) => set.has(each)));

/** Returns whether it compares a whole value if the other does, and no smaller part of it. */
const isAsStrict = (other: Assertion, lost: Assertion): boolean =>
  !lost.strict || (other.strict && isWithin(other.loosenedBy, lost.loosenedBy));

function isNamedAssertion({ header, path }: Assertion, named: readonly string[]): boolean {
  if (header !== "") return named.some((name) => hasTitle(header, getLastPart(name)));
  return named.some((name) => getTestFile(name) === path);
}

/** Removes groups, and values that a test program adds, to get the title as written in the file. */
function getLastPart(name: string): string {
  const title = getTestTitle(name).replace(/ #\d+$/, "");
  return (title.split(" › ").at(-1) ?? title).replace(/\[.*\]$/, "");
}

function hasTitle(text: string, title: string): boolean {
  return countTitle(text, title) > 0;
}

/** Counts it as a string, or as the name of a function. */
function countTitle(text: string, title: string): number {
  if (title === "") return 0;
  const quoted = ['"', "'", "`"].reduce((sum, quote) => sum + text.split(`${quote}${title}${quote}`).length - 1, 0);
  if (quoted > 0 || !/^\w+$/.test(title)) return quoted;
  return text.match(new RegExp(`\\b${title}\\b`, "g"))?.length ?? 0;
}

/** Classifies the removed test names, except those already listed with the lost assertions. */
function classifyDroppedTests(
  question: LostTestsRequest,
  exam: LostTestsExam,
  lost: readonly LostAssertion[],
): LostTests {
  const free = [...question.added];
  const take = (fits: (name: string) => boolean): boolean => {
    const at = free.findIndex(fits);
    return at >= 0 && free.splice(at, 1).length > 0;
  };
  const listed = new Set(lost.map(({ assertion }) => assertion));
  const fate = (name: string): DroppedFate => {
    const title = getLastPart(name);
    if (question.skipped.includes(name)) return "skipped";
    if (take((other) => getLastPart(other) === title) || isCollapsed(question, exam, name)) return "moved";
    if (isStillWritten(exam, title)) return "hidden";
    const own = exam.old.filter(({ header }) => hasTitle(header, title));
    const isRenamed = take((other) => getTestFile(other) === getTestFile(name));
    if (own.some((assertion) => listed.has(assertion))) return "listed";
    return judgeRenamed(own, isRenamed);
  };
  const fates = Map.groupBy(question.dropped, fate);
  const told = (of: DroppedFate, says: string) => perFile(fates.get(of), says);
  return {
    unreplaced: [
      ...told("skipped", "skipped now, though passing on the new code"),
      ...told("hidden", "still written and no longer run"),
      ...told(
        "unreplaced",
        "gone, though passing on the new code, and nothing shows that another test checks the same",
      ),
    ],
    replaced: told("replaced", "gone, though passing on the new code; its assertions stand in other tests"),
  };
}

function judgeRenamed(own: readonly Assertion[], isRenamed: boolean): DroppedFate {
  if (own.length > 0) return isRenamed ? "moved" : "replaced";
  return isRenamed ? "replaced" : "unreplaced";
}

/** Matches cases of a table that one test of the same title now iterates over. */
function isCollapsed({ added }: LostTestsRequest, { keepsCases }: LostTestsExam, name: string): boolean {
  const hasCases = /\[[^\]]*\]$/.test(name);
  const isWhole = (other: string) =>
    getTestFile(other) === getTestFile(name) && getLastPart(other) === getLastPart(name) && !other.endsWith("]");
  return hasCases && keepsCases && added.some(isWhole);
}

/** `moved`: the same test under another name. `listed`: its assertions are among the lost ones. */
type DroppedFate = "skipped" | "moved" | "hidden" | "listed" | "replaced" | "unreplaced";

function isStillWritten({ texts }: LostTestsExam, title: string): boolean {
  const count = (side: readonly string[]) => side.reduce((sum, text) => sum + countTitle(text, title), 0);
  const before = count(texts.before);
  return before > 0 && count(texts.after) >= before;
}

function perFile(names: readonly string[] = [], says: string): readonly string[] {
  return [...Map.groupBy(names, getTestFile)].map(([file, some]) => {
    const what = some.length === 1 ? "1 test is" : `${some.length} tests are`;
    return `${file === "" ? "" : `${file}: `}${what} ${says}: ${shown(some.map((name) => `"${getTestTitle(name)}"`))}.`;
  });
}

const SHOWN = 3;
const MOST_SHOWN = 120;

function shown(texts: readonly string[]): string {
  const cut = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text);
  const more = texts.length - SHOWN;
  return `${texts.slice(0, SHOWN).map(cut).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
