import type { TestEnd, TestNames } from "../reports/test-report.ts";

/** Between the parts of a test's name: `file › group › title`. */
const PARTS = " › ";

export function fileOf(name: string): string {
  const end = name.indexOf(PARTS);
  return end < 0 ? "" : name.slice(0, end);
}

export function titleOf(name: string): string {
  const file = fileOf(name);
  return file === "" ? name : name.slice(file.length + PARTS.length);
}

/** A failure that a report shows as a test: of a hook, of a file that cannot be loaded, or of what runs beside its tests. */
export function isOutsideTests(name: string): boolean {
  return OUTSIDE.test(name.replace(/ #\d+$/, ""));
}

/** Is the failure `outside` one of the file that the test is in? */
export function isInFile(outside: string, name: string): boolean {
  const file = fileOf(name);
  return file !== "" && (fileOf(outside) === file || outside.startsWith(`${file} (`));
}

const OUTSIDE = /\((?:cannot be collected|outside tests)\)$|(?:^| › )"(?:before|after) (?:each|all)" hook\b/;

/**
 * The same test under the names of another exam: by its whole name, or by its title where exactly one test of a file
 * that the first exam does not have bears it: then the file was renamed, or the test moved.
 */
export function counterparts(from: TestNames, to: TestNames): ReadonlyMap<string, string> {
  const known = new Set(Object.keys(from).map(fileOf));
  const left = Object.keys(to).filter((name) => !Object.hasOwn(from, name));
  const byTitle = Map.groupBy(
    left.filter((name) => !known.has(fileOf(name))),
    titleOf,
  );
  const pairs = Object.keys(from).flatMap((name): (readonly [string, string])[] => {
    if (Object.hasOwn(to, name)) return [[name, name]];
    const [moved, ...more] = byTitle.get(titleOf(name)) ?? [];
    return moved !== undefined && more.length === 0 ? [[name, moved]] : [];
  });
  return new Map(pairs);
}

/**
 * Does an announcement speak of this test? `*` stands for any letters; a file alone for all of its tests. Groups may be
 * left out between file and title, and the file too: that is how people name tests.
 */
export function speaksOf(said: string, name: string): boolean {
  const plain = name.replace(/ #\d+$/, "");
  if (said === name || said === plain || name.startsWith(said + PARTS)) return true;
  if (plain.endsWith(PARTS + said)) return true;
  if (fileOf(said) !== "" && fileOf(said) === fileOf(plain) && plain.endsWith(PARTS + titleOf(said))) return true;
  return said.includes("*") && (fits(name, said) || fits(plain, said));
}

/** Whether it has a `*` and no file: before the first part there is nothing, or a `*` too. */
export function isFilelessPattern(said: string): boolean {
  const file = fileOf(said);
  return said.includes("*") && (file === "" || file.includes("*"));
}

/** Piece by piece from the left: takes no longer than the texts are long. */
function fits(name: string, pattern: string): boolean {
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

/** How a test ended; `missing` where the report does not know it: it was not collected, or is gone. */
export type End = TestEnd | "missing";

export function endOf(names: TestNames, name: string | undefined): End {
  return (name !== undefined && Object.hasOwn(names, name) ? names[name] : undefined) ?? "missing";
}
