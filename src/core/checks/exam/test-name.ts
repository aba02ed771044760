import type { TestEnd, TestNames } from "../reports/test-report.ts";

/** Separates the parts of a test's name: `file › group › title`. */
const PARTS = " › ";

export function getTestFile(name: string): string {
  const end = name.indexOf(PARTS);
  return end < 0 ? "" : name.slice(0, end);
}

export function getTestTitle(name: string): string {
  const file = getTestFile(name);
  return file === "" ? name : name.slice(file.length + PARTS.length);
}

/**
 * Matches a failure that a report shows as a test: of a hook, of a file that cannot be loaded, or of code beside its
 * tests.
 */
export function isOutsideTests(name: string): boolean {
  return OUTSIDE.test(name.replace(/ #\d+$/, ""));
}

/** Returns whether the failure `outside` belongs to the file of the test. */
export function isInFile(outside: string, name: string): boolean {
  const file = getTestFile(name);
  return file !== "" && (getTestFile(outside) === file || outside.startsWith(`${file} (`));
}

const OUTSIDE = /\((?:cannot be collected|outside tests)\)$|(?:^| › )"(?:before|after) (?:each|all)" hook\b/;

/**
 * Matches tests of two exams: by the whole name, or by the title if exactly one test of a file that the first exam
 * lacks has it, because the file was renamed or the test moved.
 */
export function matchCounterparts(from: TestNames, to: TestNames): ReadonlyMap<string, string> {
  const known = new Set(Object.keys(from).map(getTestFile));
  const left = Object.keys(to).filter((name) => !Object.hasOwn(from, name));
  const byTitle = Map.groupBy(
    left.filter((name) => !known.has(getTestFile(name))),
    getTestTitle,
  );
  const pairs = Object.keys(from).flatMap((name): (readonly [string, string])[] => {
    if (Object.hasOwn(to, name)) return [[name, name]];
    const [moved, ...more] = byTitle.get(getTestTitle(name)) ?? [];
    return moved !== undefined && more.length === 0 ? [[name, moved]] : [];
  });
  return new Map(pairs);
}

/**
 * Returns whether an announcement covers this test. `*` matches any characters; a file alone matches all of its tests.
 * Groups between file and title may be omitted, and the file too, as people do when they name tests.
 */
export function isAnnouncedTest(said: string, name: string): boolean {
  const plain = name.replace(/ #\d+$/, "");
  if (said === name || said === plain || name.startsWith(said + PARTS)) return true;
  if (plain.endsWith(PARTS + said)) return true;
  if (
    getTestFile(said) !== "" &&
    getTestFile(said) === getTestFile(plain) &&
    plain.endsWith(PARTS + getTestTitle(said))
  )
    return true;
  return said.includes("*") && (isPatternMatch(name, said) || isPatternMatch(plain, said));
}

/** Matches a pattern with `*` and no file: nothing, or another `*`, before the first part. */
export function isFilelessPattern(said: string): boolean {
  const file = getTestFile(said);
  return said.includes("*") && (file === "" || file.includes("*"));
}

/** Matches piece by piece from the left, in linear time. */
function isPatternMatch(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}

/** Result of a test; `missing` if the report does not contain it, because it was not collected or was removed. */
export type ExamTestEnd = TestEnd | "missing";

export function getTestResult(names: TestNames, name: string | undefined): ExamTestEnd {
  return (name !== undefined && Object.hasOwn(names, name) ? names[name] : undefined) ?? "missing";
}
