import { collectTests, type NamedTest } from "./named-tests.ts";
import { splitPlainLines } from "./plain-lines.ts";
import type { End, Reading, Tally } from "./tally.ts";

/** Signs that it prints instead of words if colors are enabled. */
const ENDS: Readonly<Record<string, End>> = {
  "(pass)": "passed",
  "✓": "passed",
  "(fail)": "failed",
  "✗": "failed",
  "(skip)": "skipped",
  "»": "skipped",
  "(todo)": "skipped",
  "✎": "skipped",
};
const RESULT = /^(\((?:pass|fail|skip|todo)\)|[✓✗»✎]) (.+?)(?: \[[\d.]+ ?m?s\])?$/;
const FILE = /^(\S.*\.[cm]?[jt]sx?):$/;
const COUNT = /^(\d{1,9}) (pass|fail|skip|todo)$/;
const COUNTS: Readonly<Record<string, End>> = { pass: "passed", fail: "failed", skip: "skipped", todo: "skipped" };

/**
 * Reads Bun's output: a heading per file, a line per test and totals. Names are used only if there are as many as the
 * totals say, because it prints only failed tests for some agents.
 */
export function readBun(text: string, tops: readonly string[] = []): Reading | undefined {
  const lines = splitPlainLines(text);
  const totals = parseBunTotals(lines);
  if (!totals) return undefined;
  const reading = collectTests(parseBunTests(lines), tops);
  const same = (["passed", "failed", "skipped"] as const).every((end) => reading[end] === totals[end]);
  return same ? reading : totals;
}

/** Reads the counts above `Ran 7 tests across 2 files.`, which must add up to it. */
function parseBunTotals(lines: readonly string[]): Tally | undefined {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  let counted = new Map<End, number>();
  let seen = lines.includes("No tests found!") && lines.some((line) => line.startsWith("bun test v"));
  for (const line of lines) {
    const [, count, word = ""] = COUNT.exec(line) ?? [];
    const end = COUNTS[word];
    if (end) counted.set(end, (counted.get(end) ?? 0) + Number(count));
    const ran = /^Ran (\d{1,9}) tests? across \d{1,9} files?\./.exec(line)?.[1];
    if (ran === undefined) continue;
    const sum = [...counted.values()].reduce((all, each) => all + each, 0);
    if (sum !== Number(ran)) return undefined;
    for (const [each, many] of counted) tally[each] += many;
    counted = new Map();
    seen = true;
  }
  return seen ? tally : undefined;
}

/** Reads only below a file's heading: output of tests is elsewhere, and failed tests are repeated at the end. */
function* parseBunTests(lines: readonly string[]): Generator<NamedTest> {
  let file: string | undefined;
  for (const line of lines) {
    const heading = FILE.exec(line)?.[1];
    if (heading !== undefined || /^\d{1,9} tests? \w+:$/.test(line)) file = heading;
    if (file === undefined) continue;
    if (line === "# Unhandled error between tests") yield { file, path: [], end: "uncollected" };
    const [, sign = "", title = ""] = RESULT.exec(line) ?? [];
    const end = ENDS[sign];
    if (end) yield { file, path: title.split(" > "), end };
  }
}
