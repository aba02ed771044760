import type { Finding } from "../../authoring/finding.ts";
import { take, tally, without } from "./line-tally.ts";
import { joinRenames } from "./renames.ts";
import { languageOf, type TestLanguage, testRank } from "./test-language.ts";
import { type Mark, marksOf, type TestMarks } from "./test-marks.ts";
import type { TextChange } from "./text-change.ts";
import { tamperFinding } from "./text-change.ts";

export type WeakenedQuestion = {
  readonly changes: readonly TextChange[];
  /** The test program counted at least as many tests as before, so cases of a table may have replaced single tests. */
  readonly sameCount: boolean;
};

/** Reports deleted, skipped or emptied tests per file. Tests that appear in another test file were moved. */
export function weakenedTests({ changes, sameCount }: WeakenedQuestion): readonly Finding[] {
  const files = joinRenames(changes, staysTest).flatMap(testFile);
  return files.flatMap((file) => {
    const findings = [leftOut(file, files), focused(file, files), forced(file, files)];
    return [lost({ file, files, sameCount }), ...findings].filter((finding) => finding !== undefined);
  });
}

/** Returns whether test programs find the file under its new name too. */
function staysTest(from: string, to: string): boolean {
  const language = languageOf(from);
  return language !== undefined && languageOf(to) === language && testRank(to, language) >= testRank(from, language);
}

type TestFile = {
  readonly change: TextChange;
  readonly language: TestLanguage;
  readonly rank: number;
  readonly before: TestMarks;
  readonly after: TestMarks;
};

function testFile(change: TextChange): readonly TestFile[] {
  const language = languageOf(change.path);
  if (!language) return [];
  const [before, after] = [marksOf(change.before ?? "", language), marksOf(change.after ?? "", language)];
  const inline = language.name === "rust" && before.tests.length + after.tests.length > 0 ? 1 : 0;
  const rank = Math.max(inline, testRank(change.path, language));
  return rank > 0 ? [{ change, language, rank, before, after }] : [];
}

type LostQuestion = { readonly file: TestFile; readonly files: readonly TestFile[]; readonly sameCount: boolean };

function lost({ file, files, sameCount }: LostQuestion): Finding | undefined {
  const { change, before, after, rank } = file;
  const others = files.filter((other) => other !== file && other.rank >= rank && other.language === file.language);
  const missing = (mark: Mark) =>
    gone(
      before[mark],
      after[mark],
      others.map((other) => [other.before[mark], other.after[mark]]),
    );
  const [tests, asserts] = [missing("tests"), missing("asserts")];
  if (change.status === "deleted") return deleted(file, tests, asserts);
  if (sameCount && after.cases.length > before.cases.length) return undefined;
  if (tests > 0) return tamperFinding(change.path, `has ${counted(tests, "test")} fewer than before`);
  return asserts > 0 ? tamperFinding(change.path, `has ${counted(asserts, "assertion")} fewer than before`) : undefined;
}

function deleted({ change, before, rank }: TestFile, tests: number, asserts: number): Finding | undefined {
  const marked = before.tests.length + before.asserts.length > 0;
  // If it contains no test, only its name makes it a test file.
  if (marked ? tests + asserts === 0 : rank < 2) return undefined;
  return tamperFinding(
    change.path,
    tests > 0 ? `was deleted with ${counted(tests, "test")}` : "was deleted, and it held tests",
  );
}

type Sides = readonly [before: readonly string[], after: readonly string[]];

/** Counts the lines that are removed here and did not appear in another file. */
function gone(before: readonly string[], after: readonly string[], others: readonly Sides[]): number {
  const fewer = before.length - after.length;
  if (fewer <= 0) return 0;
  const arrived = tally(others.flatMap(([then, now]) => without(now, then)));
  const moved = without(before, after).filter((line) => take(arrived, line)).length;
  return Math.max(0, fewer - moved);
}

/** Counts the lines that are new here and did not come from another file. */
function added(mark: Mark, file: TestFile, files: readonly TestFile[]): number {
  const others = files.filter((other) => other !== file);
  return gone(
    file.after[mark],
    file.before[mark],
    others.map((other) => [other.after[mark], other.before[mark]]),
  );
}

function leftOut(file: TestFile, files: readonly TestFile[]): Finding | undefined {
  const newTests = Math.max(0, file.after.tests.length - file.before.tests.length);
  // A new test may have conditions under which it cannot run; an old test that no longer runs everywhere is a finding.
  const count = added("skips", file, files) + Math.max(0, added("maybe", file, files) - newTests);
  return count > 0
    ? tamperFinding(file.change.path, `leaves out tests by ${counted(count, "new mark")} (${example(file)})`)
    : undefined;
}

function example({ before, after }: TestFile): string {
  const [line = ""] = [...without(after.skips, before.skips), ...without(after.maybe, before.maybe)];
  return line.slice(0, 80);
}

function focused(file: TestFile, files: readonly TestFile[]): Finding | undefined {
  return added("focus", file, files) > 0
    ? tamperFinding(file.change.path, "runs only some of its tests: a focus mark is new")
    : undefined;
}

function forced(file: TestFile, files: readonly TestFile[]): Finding | undefined {
  // In Go, a helper process exits with 0; only TestMain exits the whole program.
  if (file.language.name === "go" && !file.change.after?.includes("func TestMain(")) return undefined;
  if (added("exits", file, files) === 0) return undefined;
  const [line = ""] = without(file.after.exits, file.before.exits);
  return tamperFinding(file.change.path, `decides the result of the tests itself (${line.slice(0, 80)})`);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
