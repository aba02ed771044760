import { findFailureLine } from "./failure-lines.ts";
import { type CheckOutcome, explainUnusableRun } from "./outcome.ts";
import type { TestResults } from "./test-results.ts";

/** Recorded run of a check, reduced to the fields of its description. */
export type RecordedRun = {
  readonly phase: "baseline" | "after";
  readonly passed: boolean;
  readonly outcome?: CheckOutcome | undefined;
  readonly exitCode: number | null;
  readonly notRun?: string | undefined;
  readonly tests?: TestResults | undefined;
  readonly snippet: string;
  readonly findings?: readonly { readonly message: string }[] | undefined;
};

/** Returns the outcome word that every surface uses. Early records have only passed or failed. */
export function getOutcomeWord({ outcome, passed }: Pick<RecordedRun, "outcome" | "passed">): CheckOutcome {
  return outcome ?? (passed ? "passed" : "failed");
}

/** Explains why the run is not a plain pass: what prevented it, which tests failed, or its last message. */
export function explainCheck(seen: RecordedRun): string {
  const word = getOutcomeWord(seen);
  if (word === "passed") return "";
  // A record does not contain its baseline. A baseline without tests would have a reason of its own.
  if (word === "not-run") return explainUnusableRun(seen, true) ?? "";
  const findings = (seen.findings ?? []).map(({ message }) => message).join("; ");
  const said = seen.notRun ?? (formatFailingNames(seen.tests) || findings || findLastMessage(seen.snippet));
  return [explainUnproven(seen), explainForgedExit(seen), said].filter(Boolean).join(": ");
}

/**
 * Returns the last line that names a failure, or the last meaningful line. Skips separators, and programs that only
 * report the failure of another one.
 */
function findLastMessage(snippet: string): string {
  const lines = snippet.split("\n").filter((line) => /[\p{L}\p{N}]/u.test(line));
  const own = lines.filter((line) => !ECHO.some((pattern) => pattern.test(line)));
  // A compiler puts the message into the first line and explains it below.
  const compiled = own.findLast((line) => /^error(?:\[\w+\])?: /.test(line));
  const last = compiled ?? findFailureLine(own) ?? own.at(-1) ?? lines.at(-1);
  return last?.trim() ?? "";
}

/** Final lines of package managers, compilers and make when a program that they started has failed. */
const ECHO: readonly RegExp[] = [
  /^npm (?:error|ERR!)/,
  /^\s*(?:\[?ELIFECYCLE\]?|\[?ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\]?)\b/,
  /^error: script ".*" exited with code \d+/,
  /^error Command failed with exit code \d+/,
  /^info Visit https:\/\/yarnpkg\.com/,
  /^The command failed in workspace .* with exit code \d+/,
  /^Failed with errors in /,
  /^(?:error: could not compile|warning: build failed, waiting|error: aborting due to)/,
  /^g?make(?:\[\d+\])?: \*\*\* .*Error \d+/,
];

/** Explains why it proves nothing about the work, whatever it printed. */
function explainUnproven(seen: RecordedRun): string {
  const word = getOutcomeWord(seen);
  if (word === "flaky") return "the same tree gave different results";
  return word === "red-before" && formatFailingNames(seen.tests) === "" ? "it reports no test names" : "";
}

/** Formats `56 tests` or `2 of 56 tests failed`, used beside words such as red. Empty if no test was counted. */
export function formatTestCounts(tests: TestResults | undefined): string {
  return tests === undefined || tests.failed === 0
    ? formatPassingTests(tests)
    : `${tests.failed} of ${tests.total} ${formatTestUnit(tests)} failed`;
}

/** Formats the passing tests: `56 tests`, or `54 of 56 tests`. */
export function formatPassingTests(tests: TestResults | undefined): string {
  if (!tests) return "";
  const { total, passed, failed } = tests;
  return failed === 0 ? `${passed} ${formatTestUnit(tests)}` : `${passed} of ${total} ${formatTestUnit(tests)}`;
}

const formatTestUnit = ({ total }: TestResults): string => (total === 1 ? "test" : "tests");

const SHOWN = 3;

function formatFailingNames(tests: TestResults | undefined): string {
  const names = tests?.failing ?? [];
  const rest = names.length - SHOWN;
  return names.length === 0 ? "" : `${names.slice(0, SHOWN).join("; ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** A line such as `node --test | tee log` always exits with 0. */
function explainForgedExit({ exitCode, tests }: RecordedRun): string {
  const failed = tests?.failed ?? 0;
  if (exitCode !== 0 || failed === 0) return "";
  return `exit 0 although ${failed} ${failed === 1 ? "test" : "tests"} failed`;
}
