import type { End, Reading } from "./tally.ts";

/** `path`: surrounding groups, then the title. */
export type NamedTest = {
  readonly file?: string | undefined;
  readonly path: readonly string[];
  readonly end: End | "uncollected";
};

/** Collects counts and names. Equal names are numbered, so that each one identifies a single test. */
export function collectTests(tests: Iterable<NamedTest>, tops: readonly string[] = []): Reading {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  const names = new Map<string, End>();
  const seen = new Map<string, number>();
  const uncollected: string[] = [];
  for (const test of tests) {
    const end = test.end === "uncollected" ? "failed" : test.end;
    if (test.end === "uncollected") uncollected.push(toRelativeFile(test.file ?? "", tops));
    tally[end] += 1;
    names.set(findUnusedName(formatTestName(test, tops), names, seen), end);
  }
  return { ...tally, names: Object.fromEntries(names), ...(uncollected.length > 0 ? { uncollected } : {}) };
}

/** Longer names do not occur, and names are stored with every check. */
const MOST_CHARS = 1000;

function formatTestName({ file, path, end }: NamedTest, tops: readonly string[]): string {
  const titles = path.map((title) => removeTop(title, tops));
  const parts = [...(file ? [toRelativeFile(file, tops)] : []), ...titles].map(toSingleLineName);
  const name = parts.filter((part) => part !== "").join(" › ");
  return `${name.slice(0, MOST_CHARS)}${end === "uncollected" ? " (cannot be collected)" : ""}`;
}

/** Makes the path relative to the checkout, whose location varies. */
function toRelativeFile(file: string, tops: readonly string[]): string {
  if (tops.includes(file)) return ".";
  const top = tops.find((each) => file.startsWith(`${each}/`));
  return top === undefined ? file : file.slice(top.length + 1);
}

/**
 * Removes the working folder from a title. Otherwise each checkout would have another name, and the test would appear
 * missing.
 */
function removeTop(title: string, tops: readonly string[]): string {
  const longest = tops.filter((top) => title.includes(top)).toSorted((a, b) => b.length - a.length);
  return longest.reduce((text, top) => text.replaceAll(top, "."), title);
}

function toSingleLineName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would break the lines that names are shown in.
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, " ").trim();
}

function findUnusedName(name: string, names: ReadonlyMap<string, End>, seen: Map<string, number>): string {
  let count = seen.get(name) ?? 0;
  let found: string;
  do {
    count += 1;
    found = count === 1 ? name : `${name} #${count}`;
  } while (names.has(found));
  seen.set(name, count);
  return found;
}
