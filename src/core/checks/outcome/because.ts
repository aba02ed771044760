import { type CheckOutcome, reasonNotRun } from "./outcome.ts";
import { findFailureLine } from "./telling-lines.ts";
import type { TestResults } from "./tests-seen.ts";

/** One recorded run of a check, as far as words about it are needed. */
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

/** The one word for it, on every surface. Records of before outcomes were named have only passed and failed. */
export function wordOf({ outcome, passed }: Pick<RecordedRun, "outcome" | "passed">): CheckOutcome {
  return outcome ?? (passed ? "passed" : "failed");
}

/** Why it is not a plain pass: what kept it from running, which tests failed, or the last thing that it said. */
export function becauseOf(seen: RecordedRun): string {
  const word = wordOf(seen);
  if (word === "passed") return "";
  // A record does not know its baseline: one that had no test there would have a reason of its own.
  if (word === "not-run") return reasonNotRun(seen, true) ?? "";
  const findings = (seen.findings ?? []).map(({ message }) => message).join("; ");
  const said = seen.notRun ?? (namesIn(seen.tests) || findings || lastWords(seen.snippet));
  return [unproven(seen), forged(seen), said].filter(Boolean).join(": ");
}

/** The last line that names a failure, or the last that says something: a rule of dashes does not, nor who only passes on that another one failed. */
function lastWords(snippet: string): string {
  const lines = snippet.split("\n").filter((line) => /[\p{L}\p{N}]/u.test(line));
  const own = lines.filter((line) => !ECHO.some((pattern) => pattern.test(line)));
  // A compiler explains below what it says in its first line.
  const compiled = own.findLast((line) => /^error(?:\[\w+\])?: /.test(line));
  const last = compiled ?? findFailureLine(own) ?? own.at(-1) ?? lines.at(-1);
  return last?.trim() ?? "";
}

/** How package managers, compilers and make end when what they started has failed. */
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

/** Why it shows nothing about the work, whatever it printed. */
function unproven(seen: RecordedRun): string {
  const word = wordOf(seen);
  if (word === "flaky") return "the same tree gave different results";
  return word === "red-before" && namesIn(seen.tests) === "" ? "it names no tests" : "";
}

/** `56 tests`, or `2 of 56 tests failed`: it stands beside words such as red; nothing where none were counted. */
export function countedText(tests: TestResults | undefined): string {
  return tests === undefined || tests.failed === 0
    ? passingText(tests)
    : `${tests.failed} of ${tests.total} ${unitOf(tests)} failed`;
}

/** `56 tests`, or `54 of 56 tests`: those that pass, for whoever says so. */
export function passingText(tests: TestResults | undefined): string {
  if (!tests) return "";
  const { total, passed, failed } = tests;
  return failed === 0 ? `${passed} ${unitOf(tests)}` : `${passed} of ${total} ${unitOf(tests)}`;
}

const unitOf = ({ total }: TestResults): string => (total === 1 ? "test" : "tests");

const SHOWN = 3;

function namesIn(tests: TestResults | undefined): string {
  const names = tests?.failing ?? [];
  const rest = names.length - SHOWN;
  return names.length === 0 ? "" : `${names.slice(0, SHOWN).join("; ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** A line such as `node --test | tee log` ends well whatever happened. */
function forged({ exitCode, tests }: RecordedRun): string {
  const failed = tests?.failed ?? 0;
  if (exitCode !== 0 || failed === 0) return "";
  return `exit 0 although ${failed} ${failed === 1 ? "test" : "tests"} failed`;
}
