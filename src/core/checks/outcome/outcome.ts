import type { Finding } from "../../authoring/finding.ts";
import type { Tally } from "../reports/tally.ts";

/** One execution of a configured command on one tree. */
export type CheckRun = {
  readonly exitCode: number | null;
  /** Reason why it never judged the tree. */
  readonly notRun?: string | undefined;
  readonly tests?: (Tally & { readonly total: number; readonly uncollected?: number | undefined }) | undefined;
  /** Names of the failed tests. Absent if the command reports no names. */
  readonly failing?: readonly string[] | undefined;
};

/**
 * - `passed`: exit 0, no failed test counted, and tests counted if the baseline counted some.
 * - `failed`: red, and no baseline exists or none was red itself.
 * - `regression`: red now and green on the baseline; or a test fails that did not fail there.
 * - `red-before`: only tests fail that failed on the baseline. A command without test names proves nothing then.
 * - `flaky`: different results on the same tree.
 * - `not-run`: it never judged the tree; neither green nor red.
 */
export const CHECK_OUTCOMES = ["passed", "failed", "regression", "red-before", "flaky", "not-run"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

export type CheckComparison = {
  readonly name: string;
  /** Runs on the starting tree. Empty without a baseline. */
  readonly before: readonly CheckRun[];
  /** Runs on the resulting tree. */
  readonly after: readonly CheckRun[];
};

export type CheckJudgement = {
  readonly outcome: CheckOutcome;
  /** Present for everything except a plain pass. */
  readonly findings: readonly Finding[];
  /** True if the result supports the tree. A command that was red before supports it only through test names. */
  readonly proves: boolean;
};

/** Combines the runs of baseline and result. The single definition of a check's outcome. */
export function judgeCheck(compared: CheckComparison): CheckJudgement {
  const outcome = determineOutcome(compared);
  const message = MESSAGES[outcome](compared);
  return {
    outcome,
    proves: (outcome === "passed" && !isEmpty(compared)) || (outcome === "red-before" && hasNamedFailures(compared)),
    findings: message === undefined ? [] : [{ severity: SEVERITY[outcome], message, by: "check" }],
  };
}

/** Returns whether to run the check again: a regression counts only after both trees have run it once more. */
export function needsRerun(before: CheckRun | undefined, after: CheckRun): boolean {
  return before !== undefined && determineOutcome({ name: "", before: [before], after: [after] }) === "regression";
}

export type RunState = "green" | "red" | "not-run";

/**
 * Classifies one run. `counted`: the baseline's run counted tests, so a run that counts none has lost them.
 * @rule A-22 (policy) Green is exit 0, no failed test counted, and tests counted if the baseline counted some.
 */
export function classifyRun(run: CheckRun, counted = false): RunState {
  if (explainUnusableRun(run, counted) !== undefined) return "not-run";
  return run.exitCode === 0 && (run.tests?.failed ?? 0) === 0 ? "green" : "red";
}

/**
 * Returns why a run is neither green nor red.
 * @rule A-20 (policy) A command that could not run is neither green nor red: a missing program or script, a failed
 *   set-up, tests that cannot be collected, a report that cannot be read.
 */
export function explainUnusableRun({ exitCode, notRun, tests }: CheckRun, counted = false): string | undefined {
  if (notRun !== undefined) return notRun;
  if (exitCode === null) return "it was stopped before it ended";
  // A baseline without tests allows none now: that proves nothing, but no test was lost.
  if (tests?.total === 0 && (counted || exitCode !== 0)) return "it ran no test at all";
  if (tests && tests.total > 0 && tests.uncollected === tests.total) return "its tests could not be collected";
  if (!tests && counted && exitCode === 0) return "it counted tests on the baseline and counts none now";
  return undefined;
}

/**
 * @rule L-15 (policy) Checks run before and after each task; a check that was green and is red now is a regression.
 * @rule L-52 (policy) A task is compared with the tree it starts from; a check that was red there and is no worse now
 *   counts neither for nor against the task.
 */
function determineOutcome({ before, after }: CheckComparison): CheckOutcome {
  const counted = before.some(hasTests);
  const [then, now] = [before.map((run) => classifyRun(run)), after.map((run) => classifyRun(run, counted))];
  if (now.length === 0) return "not-run";
  if (new Set(now).size > 1) return "flaky";
  if (now[0] !== "red") return now[0] === "green" ? "passed" : "not-run";
  if (new Set(then).size > 1) return isSteadyFailure({ before, after }) ? "regression" : "flaky";
  if (then[0] === "green") return isRandomFailure(after) ? "flaky" : "regression";
  return then[0] === "red" ? compareRedRuns(before, after) : "failed";
}

/** A check that is red on both trees hides a new failure unless it names its tests. */
function compareRedRuns(before: readonly CheckRun[], after: readonly CheckRun[]): CheckOutcome {
  if (!hasNamedFailures({ before, after })) return "red-before";
  if (findNewFailures({ before, after }).length > 0) return "regression";
  const known = new Set(before.flatMap((run) => run.failing ?? []));
  const sometimes = after.some((run) => run.failing?.some((name) => !known.has(name)));
  return sometimes ? "flaky" : "red-before";
}

/** An old flaky test must not hide a test that fails in every run of the new tree and in none before. */
function isSteadyFailure({ before, after }: RunPair): boolean {
  const red = [...before, ...after].filter((run) => classifyRun(run) === "red");
  return (
    after.length > 1 && hasNamedFailures({ before: [], after: red }) && findNewFailures({ before, after }).length > 0
  );
}

/** Different tests fail in each run. */
function isRandomFailure(after: readonly CheckRun[]): boolean {
  return (
    after.length > 1 && hasNamedFailures({ before: [], after }) && findNewFailures({ before: [], after }).length === 0
  );
}

/** A test program that ran no test proves nothing. */
function isEmpty({ after }: Pick<CheckComparison, "after">): boolean {
  return after.every((run) => run.tests?.total === 0);
}

type RunPair = Pick<CheckComparison, "before" | "after">;

/** Returns whether every red run names its failed tests. */
function hasNamedFailures({ before, after }: RunPair): boolean {
  return [...before, ...after].every((run) => (run.failing?.length ?? 0) > 0);
}

/**
 * Finds tests that fail in every run now and failed in none before.
 * @rule A-23 (policy) A check that was red before is compared test by test; a red command without test names is no
 *   evidence.
 */
export function findNewFailures({ before, after }: RunPair): readonly string[] {
  const known = new Set(before.flatMap((run) => run.failing ?? []));
  const [first, ...others] = after.map((run) => run.failing ?? []);
  return (first ?? []).filter((name) => !known.has(name) && others.every((names) => names.includes(name)));
}

/** Finds tests that fail in some runs of a tree and not in others. */
function findUnsteadyTests({ before, after }: RunPair): readonly string[] {
  const some = [before, after].flatMap((runs) => {
    const all = runs.map((run) => run.failing ?? []);
    return all.flat().filter((name) => !all.every((names) => names.includes(name)));
  });
  return [...new Set(some)];
}

function hasTests({ tests }: CheckRun): boolean {
  return (tests?.total ?? 0) > 0;
}

const SEVERITY = {
  passed: "minor",
  failed: "major",
  regression: "major",
  "red-before": "minor",
  flaky: "major",
  "not-run": "major",
} as const;

const MESSAGES: Readonly<Record<CheckOutcome, (compared: CheckComparison) => string | undefined>> = {
  passed: () => undefined,
  failed: ({ name, after }) => `${name} fails${explainExitDespiteFailures(after)}${formatNameList(listFailing(after))}`,
  regression: (compared) => {
    const { name, before, after } = compared;
    const names = findNewFailures(compared);
    if (before.every((run) => classifyRun(run) === "green")) {
      return `${name} passed on the baseline and fails now${explainExitDespiteFailures(after)}${formatNameList(names)}`;
    }
    return `${name} was red on the baseline, and fails now in tests that did not fail there${formatNameList(names)}`;
  },
  "red-before": (compared) =>
    hasNamedFailures(compared)
      ? `${compared.name} was red before and still is${formatNameList(listFailing(compared.after))}`
      : `${compared.name} was red before and still is; it reports no test names, so it proves nothing`,
  flaky: (compared) =>
    `${compared.name} is flaky: the same tree gave different results${formatNameList(findUnsteadyTests(compared))}`,
  "not-run": ({ name, before, after }) => {
    const last = after.at(-1);
    const why = last ? explainUnusableRun(last, before.some(hasTests)) : "it was not started";
    return `${name} could not be run: ${why}`;
  },
};

/** A line such as `node --test | tee log` always exits with 0. */
function explainExitDespiteFailures(after: readonly CheckRun[]): string {
  const failed = Math.max(0, ...after.map((run) => run.tests?.failed ?? 0));
  if (failed === 0 || after.some((run) => run.exitCode !== 0)) return "";
  return ` (it exits with 0 although ${failed} ${failed === 1 ? "test" : "tests"} failed)`;
}

function listFailing(after: readonly CheckRun[]): readonly string[] {
  return findNewFailures({ before: [], after });
}

const SHOWN = 3;

function formatNameList(names: readonly string[]): string {
  if (names.length === 0) return "";
  const rest = names.length - SHOWN;
  return `: ${names.slice(0, SHOWN).join("; ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
