import type { Finding } from "../finding.ts";
import type { Tally } from "./reports/tally.ts";

/** One execution of a configured command on one tree, as far as it counts. */
export type CheckRun = {
  readonly exitCode: number | null;
  /** Why it never came to judging the tree. */
  readonly notRun?: string | undefined;
  readonly tests?: (Tally & { readonly total: number; readonly uncollected?: number | undefined }) | undefined;
  /** Names of the tests that failed; absent where the command names none. */
  readonly failing?: readonly string[] | undefined;
};

/**
 * - `passed`: exit 0, no failed test counted, and tests counted where the baseline counted some.
 * - `failed`: red, and there is no baseline to compare with, or none that was red itself.
 * - `regression`: red, and green where the work started; or a test fails that did not fail there.
 * - `red-before`: as red as where the work started: only tests fail that failed there. A command that names no tests
 *   is then no evidence for anything.
 * - `flaky`: the same tree gave different results.
 * - `not-run`: it never came to judging the tree; neither green nor red.
 */
export const CHECK_OUTCOMES = ["passed", "failed", "regression", "red-before", "flaky", "not-run"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

export type Compared = {
  readonly name: string;
  /** Runs on the tree that the work started from; none where there is no baseline. */
  readonly before: readonly CheckRun[];
  /** Runs on the tree that the work left. */
  readonly after: readonly CheckRun[];
};

export type Judged = {
  readonly outcome: CheckOutcome;
  /** With everything but a plain pass. */
  readonly findings: readonly Finding[];
  /** Whether it says something about the tree: a command that was red before proves something only by names. */
  readonly proves: boolean;
};

/** What baseline and after say together: the one meaning of a check's outcome. */
export function judgeCheck(compared: Compared): Judged {
  const outcome = outcomeOf(compared);
  const message = MESSAGES[outcome](compared);
  return {
    outcome,
    proves: (outcome === "passed" && !isEmpty(compared)) || (outcome === "red-before" && isNamed(compared)),
    findings: message === undefined ? [] : [{ severity: SEVERITY[outcome], message, by: "check" }],
  };
}

/** A regression is believed only after both trees have run it once more. */
export function needsRerun(before: CheckRun | undefined, after: CheckRun): boolean {
  return before !== undefined && outcomeOf({ name: "", before: [before], after: [after] }) === "regression";
}

export type RunState = "green" | "red" | "not-run";

/** `counted`: the baseline's own run counted tests, so one that counts none has lost them. */
export function stateOf(run: CheckRun, counted = false): RunState {
  if (reasonNotRun(run, counted) !== undefined) return "not-run";
  return run.exitCode === 0 && (run.tests?.failed ?? 0) === 0 ? "green" : "red";
}

/** Why a run is neither green nor red. */
export function reasonNotRun({ exitCode, notRun, tests }: CheckRun, counted = false): string | undefined {
  if (notRun !== undefined) return notRun;
  if (exitCode === null) return "it was stopped before it ended";
  // Where there was no test yet, there may be none: that proves nothing, but it is nobody's loss.
  if (tests?.total === 0 && (counted || exitCode !== 0)) return "it ran no test at all";
  if (tests && tests.total > 0 && tests.uncollected === tests.total) return "its tests could not be collected";
  if (!tests && counted && exitCode === 0) return "it counted tests on the baseline and counts none now";
  return undefined;
}

function outcomeOf({ before, after }: Compared): CheckOutcome {
  const counted = before.some(hasTests);
  const [then, now] = [before.map((run) => stateOf(run)), after.map((run) => stateOf(run, counted))];
  if (now.length === 0) return "not-run";
  if (new Set(now).size > 1) return "flaky";
  if (now[0] !== "red") return now[0] === "green" ? "passed" : "not-run";
  if (new Set(then).size > 1) return "flaky";
  if (then[0] === "green") return failsAtRandom(after) ? "flaky" : "regression";
  return then[0] === "red" ? redOnBoth(before, after) : "failed";
}

/** Red on both trees hides a new failure; only names show it. */
function redOnBoth(before: readonly CheckRun[], after: readonly CheckRun[]): CheckOutcome {
  if (!isNamed({ before, after })) return "red-before";
  if (newlyFailing({ before, after }).length > 0) return "regression";
  const known = new Set(before.flatMap((run) => run.failing ?? []));
  const sometimes = after.some((run) => run.failing?.some((name) => !known.has(name)));
  return sometimes ? "flaky" : "red-before";
}

/** Another test each time. */
function failsAtRandom(after: readonly CheckRun[]): boolean {
  return after.length > 1 && isNamed({ before: [], after }) && newlyFailing({ before: [], after }).length === 0;
}

/** A test program that ran nothing has shown nothing. */
function isEmpty({ after }: Pick<Compared, "after">): boolean {
  return after.every((run) => run.tests?.total === 0);
}

type Runs = Pick<Compared, "before" | "after">;

/** Every run that is red says which tests failed. */
function isNamed({ before, after }: Runs): boolean {
  return [...before, ...after].every((run) => (run.failing?.length ?? 0) > 0);
}

/** Tests that fail in every run now and failed in none before. */
export function newlyFailing({ before, after }: Runs): readonly string[] {
  const known = new Set(before.flatMap((run) => run.failing ?? []));
  const [first, ...others] = after.map((run) => run.failing ?? []);
  return (first ?? []).filter((name) => !known.has(name) && others.every((names) => names.includes(name)));
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

const MESSAGES: Readonly<Record<CheckOutcome, (compared: Compared) => string | undefined>> = {
  passed: () => undefined,
  failed: ({ name, after }) => `${name} fails${forged(after)}${shown(failingIn(after))}`,
  regression: (compared) => {
    const { name, before, after } = compared;
    const names = newlyFailing(compared);
    if (before.every((run) => stateOf(run) === "green")) {
      return `${name} passed on the baseline and fails now${forged(after)}${shown(names)}`;
    }
    return `${name} was red on the baseline, and fails now in tests that did not fail there${shown(names)}`;
  },
  "red-before": (compared) =>
    isNamed(compared)
      ? `${compared.name} was red before and still is${shown(failingIn(compared.after))}`
      : `${compared.name} was red before and still is; it names no tests, so it is no evidence for anything`,
  flaky: ({ name }) => `${name} does not agree with itself: the same tree gave different results`,
  "not-run": ({ name, before, after }) => {
    const last = after.at(-1);
    const why = last ? reasonNotRun(last, before.some(hasTests)) : "nobody started it";
    return `${name} could not be run: ${why}`;
  },
};

/** A line such as `node --test | tee log` ends well whatever happened. */
function forged(after: readonly CheckRun[]): string {
  const failed = Math.max(0, ...after.map((run) => run.tests?.failed ?? 0));
  if (failed === 0 || after.some((run) => run.exitCode !== 0)) return "";
  return ` (it exits with 0 although ${failed} ${failed === 1 ? "test" : "tests"} failed)`;
}

function failingIn(after: readonly CheckRun[]): readonly string[] {
  return newlyFailing({ before: [], after });
}

const SHOWN = 3;

function shown(names: readonly string[]): string {
  if (names.length === 0) return "";
  const rest = names.length - SHOWN;
  return `: ${names.slice(0, SHOWN).join("; ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
