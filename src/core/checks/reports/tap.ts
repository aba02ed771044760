import { collectTests, type NamedTest } from "./named-tests.ts";
import type { Reading, Tally } from "./tally.ts";

/** Reads TAP: the totals at the end that Node's test runner prints, or else the single results. */
export function readTap(text: string, tops: readonly string[] = []): Reading | undefined {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return readTapTotals(lines) ?? readTapResults(lines, tops);
}

const TOTAL = /^(?:#|ℹ) (tests|pass|fail|cancelled|skipped|todo) (\d{1,9})$/;

/** Several runs in one output are added up. */
function readTapTotals(lines: readonly string[]): Tally | undefined {
  const sums = new Map<string, number>();
  for (const line of lines) {
    const [, name, count] = TOTAL.exec(line) ?? [];
    if (name) sums.set(name, (sums.get(name) ?? 0) + Number(count));
  }
  const tests = sums.get("tests");
  const passed = sums.get("pass");
  if (tests === undefined || passed === undefined) return undefined;
  const failed = (sums.get("fail") ?? 0) + (sums.get("cancelled") ?? 0);
  return { passed, failed, skipped: Math.max(0, tests - passed - failed) };
}

const PLAN = /^1\.\.(\d{1,9})(?: *#.*)?$/;
const RESULT = /^(not )?ok\b(?: \d{1,9})?(?: -)? ?/;
const NOT_RUN = /# (?:skip|todo)/i;

/** Reads unindented results only; indented ones are parts of the next result. */
function readTapResults(lines: readonly string[], tops: readonly string[]): Reading | undefined {
  const plans = lines.flatMap((line) => PLAN.exec(line)?.[1] ?? []);
  // An `ok` is only a word if there is no plan.
  if (plans.length === 0) return undefined;
  const tests = lines.flatMap(testOf);
  const { names, ...tally } = collectTests(tests, tops);
  const missing = plans.reduce((sum, plan) => sum + Number(plan), 0) - tests.length;
  return missing > 0 ? { ...tally, failed: tally.failed + missing } : { ...tally, ...(names ? { names } : {}) };
}

function testOf(line: string): readonly NamedTest[] {
  const result = RESULT.exec(line);
  if (!result) return [];
  const [title = ""] = line.slice(result[0].length).split(" # ", 1);
  const end = NOT_RUN.test(line) ? "skipped" : result[1] ? "failed" : "passed";
  return [{ path: [title.startsWith("#") || title === "" ? "(without a title)" : title], end }];
}
