import type { Tally } from "./tally.ts";

/** TAP: the totals that Node's test runner writes at the end where it did, otherwise the results one by one. */
export function readTap(text: string): Tally | undefined {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return totals(lines) ?? results(lines);
}

const TOTAL = /^(?:#|ℹ) (tests|pass|fail|cancelled|skipped|todo) (\d{1,9})$/;

/** Several runs in one output add up. */
function totals(lines: readonly string[]): Tally | undefined {
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
const RESULT = /^(not )?ok\b/;
const NOT_RUN = /# (?:skip|todo)/i;

/** Only what stands at the margin: indented results are parts of the one that follows them. */
function results(lines: readonly string[]): Tally | undefined {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  let planned: number | undefined;
  for (const line of lines) {
    const [, plan] = PLAN.exec(line) ?? [];
    if (plan !== undefined) planned = (planned ?? 0) + Number(plan);
    const result = RESULT.exec(line);
    if (!result) continue;
    if (NOT_RUN.test(line)) tally.skipped += 1;
    else if (result[1]) tally.failed += 1;
    else tally.passed += 1;
  }
  // Without a plan an `ok` is only a word.
  if (planned === undefined) return undefined;
  const missing = planned - tally.passed - tally.failed - tally.skipped;
  return { ...tally, failed: tally.failed + Math.max(0, missing) };
}
