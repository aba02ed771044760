import type { Finding } from "../../authoring/finding.ts";
import { subtractLines, takeLine, tallyLines } from "./line-tally.ts";
import { joinRenames } from "./renames.ts";
import { getTestLanguage, rankTestFile, type TestLanguage } from "./test-language.ts";
import { collectMarks, type Mark, type TestMarks } from "./test-marks.ts";
import type { TextChange } from "./text-change.ts";
import { createTamperFinding } from "./text-change.ts";

export type WeakenedInput = {
  readonly changes: readonly TextChange[];
  /** The test program counted at least as many tests as before, so cases of a table may have replaced single tests. */
  readonly sameCount: boolean;
};

/** Reports deleted, skipped or emptied tests per file. Tests that appear in another test file were moved. */
export function findWeakenedTests({ changes, sameCount }: WeakenedInput): readonly Finding[] {
  const files = joinRenames(changes, isStillTest).flatMap(testFile);
  return files.flatMap((file) => {
    const findings = [reportLeftOut(file, files), reportFocused(file, files), reportForcedExit(file, files)];
    return [reportLostTests({ file, files, sameCount }), ...findings].filter((finding) => finding !== undefined);
  });
}

/** Returns whether test programs find the file under its new name too. */
function isStillTest(from: string, to: string): boolean {
  const language = getTestLanguage(from);
  return (
    language !== undefined &&
    getTestLanguage(to) === language &&
    rankTestFile(to, language) >= rankTestFile(from, language)
  );
}

type TestFile = {
  readonly change: TextChange;
  readonly language: TestLanguage;
  readonly rank: number;
  readonly before: TestMarks;
  readonly after: TestMarks;
};

function testFile(change: TextChange): readonly TestFile[] {
  const language = getTestLanguage(change.path);
  if (!language) return [];
  const [before, after] = [collectMarks(change.before ?? "", language), collectMarks(change.after ?? "", language)];
  const inline = language.name === "rust" && before.tests.length + after.tests.length > 0 ? 1 : 0;
  const rank = Math.max(inline, rankTestFile(change.path, language));
  return rank > 0 ? [{ change, language, rank, before, after }] : [];
}

type LostTestsInput = { readonly file: TestFile; readonly files: readonly TestFile[]; readonly sameCount: boolean };

function reportLostTests({ file, files, sameCount }: LostTestsInput): Finding | undefined {
  const { change, before, after, rank } = file;
  const others = files.filter((other) => other !== file && other.rank >= rank && other.language === file.language);
  const missing = (mark: Mark) =>
    countGone(
      before[mark],
      after[mark],
      others.map((other) => [other.before[mark], other.after[mark]]),
    );
  const [tests, asserts] = [missing("tests"), missing("asserts")];
  if (change.status === "deleted") return reportDeletedTests(file, tests, asserts);
  if (sameCount && after.cases.length > before.cases.length) return undefined;
  if (tests > 0) return createTamperFinding(change.path, `has ${formatCount(tests, "test")} fewer than before`);
  return asserts > 0
    ? createTamperFinding(change.path, `has ${formatCount(asserts, "assertion")} fewer than before`)
    : undefined;
}

function reportDeletedTests({ change, before, rank }: TestFile, tests: number, asserts: number): Finding | undefined {
  const marked = before.tests.length + before.asserts.length > 0;
  // If it contains no test, only its name makes it a test file.
  if (marked ? tests + asserts === 0 : rank < 2) return undefined;
  return createTamperFinding(
    change.path,
    tests > 0 ? `was deleted with ${formatCount(tests, "test")}` : "was deleted, and it held tests",
  );
}

type MarkSides = readonly [before: readonly string[], after: readonly string[]];

/** Counts the lines that are removed here and did not appear in another file. */
function countGone(before: readonly string[], after: readonly string[], others: readonly MarkSides[]): number {
  const fewer = before.length - after.length;
  if (fewer <= 0) return 0;
  const arrived = tallyLines(others.flatMap(([then, now]) => subtractLines(now, then)));
  const moved = subtractLines(before, after).filter((line) => takeLine(arrived, line)).length;
  return Math.max(0, fewer - moved);
}

/** Counts the lines that are new here and did not come from another file. */
function countAdded(mark: Mark, file: TestFile, files: readonly TestFile[]): number {
  const others = files.filter((other) => other !== file);
  return countGone(
    file.after[mark],
    file.before[mark],
    others.map((other) => [other.after[mark], other.before[mark]]),
  );
}

function reportLeftOut(file: TestFile, files: readonly TestFile[]): Finding | undefined {
  const newTests = Math.max(0, file.after.tests.length - file.before.tests.length);
  // A new test may have conditions under which it cannot run; an old test that no longer runs everywhere is a finding.
  const count = countAdded("skips", file, files) + Math.max(0, countAdded("maybe", file, files) - newTests);
  return count > 0
    ? createTamperFinding(
        file.change.path,
        `leaves out tests by ${formatCount(count, "new mark")} (${findExample(file)})`,
      )
    : undefined;
}

function findExample({ before, after }: TestFile): string {
  const [line = ""] = [...subtractLines(after.skips, before.skips), ...subtractLines(after.maybe, before.maybe)];
  return line.slice(0, 80);
}

function reportFocused(file: TestFile, files: readonly TestFile[]): Finding | undefined {
  return countAdded("focus", file, files) > 0
    ? createTamperFinding(file.change.path, "runs only some of its tests: a focus mark is new")
    : undefined;
}

function reportForcedExit(file: TestFile, files: readonly TestFile[]): Finding | undefined {
  // In Go, a helper process exits with 0; only TestMain exits the whole program.
  if (file.language.name === "go" && !file.change.after?.includes("func TestMain(")) return undefined;
  if (countAdded("exits", file, files) === 0) return undefined;
  const [line = ""] = subtractLines(file.after.exits, file.before.exits);
  return createTamperFinding(file.change.path, `decides the result of the tests itself (${line.slice(0, 80)})`);
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
