import type { SourcedAnnouncement } from "../../authoring/announcement.ts";
import type { TestNames } from "../reports/test-report.ts";
import {
  getTestFile,
  getTestResult,
  isAnnouncedTest,
  isInFile,
  isOutsideTests,
  matchCounterparts,
} from "./test-name.ts";
import { countByFile, findUnstableNames, listPassing, type UnstableTests } from "./unstable-names.ts";

/**
 * One execution of a test command. `ran`: false if it could not run at all, for example because its program is missing.
 */
export type ExamRun = { readonly exitCode: number | null; readonly names?: TestNames; readonly ran: boolean };

export type ExamRuns = {
  /** Old exam on the old code. A second run distinguishes titles that differ on every run from removed tests. */
  readonly old: readonly ExamRun[];
  /** Old exam on the new code. A second run distinguishes failing from flaky tests. */
  readonly oldOnNew: readonly ExamRun[];
  /** New exam on the new code. */
  readonly new: ExamRun;
  /** New exam on the old code. A second run distinguishes red from flaky tests. Absent if it did not run. */
  readonly newOnOld?: readonly ExamRun[];
  /** The exam did not change, so results of the old code hold for the new exam too. */
  readonly unchanged?: boolean;
  readonly announced: readonly SourcedAnnouncement[];
};

export type CrossExamination = {
  /** `none` never counts as passed. */
  readonly verdict: "clean" | "named" | "none";
  /** Reason for a missing verdict. */
  readonly because?: string;
  /**
   * Tests that passed in every run on the old code and fail, are skipped or are missing in every run on the new code;
   * or `edited`.
   */
  readonly named: { readonly announced: readonly string[]; readonly unannounced: readonly string[] };
  /** Named tests that do not exist on the new code. */
  readonly missing: readonly string[];
  /** Named tests that failed on the old code and whose old form fails on the new code: only their new form passes. */
  readonly edited: readonly string[];
  /** Tests that pass in one run on the new code and not in another. */
  readonly flaky: readonly string[];
  /** Tests that pass in one run on the old code and not in another, and never on the new code. */
  readonly unsteady: readonly string[];
  /** Tests whose titles differ on every run on the old code. They are only counted. */
  readonly unstable: readonly string[];
  /** Named tests whose new version passes on both codes, so that it no longer distinguishes them. */
  readonly loosened: readonly string[];
  /** Tests that are removed from the new exam, or skipped there, although they pass on the new code. */
  readonly dropped: readonly string[];
  /** Dropped tests that exist and are skipped. */
  readonly skipped: readonly string[];
  /** Tests that pass in the new exam under names that the old exam does not have. */
  readonly added: readonly string[];
  /**
   * Tests that pass on the new code and never on the old code, which shows that the change has an effect. A test that
   * was red before counts only if its old form passes on the new code.
   */
  readonly red: readonly string[];
  /** Red tests that do not exist on the old code, for example because their file imports something new. */
  readonly redByAbsence: readonly string[];
  /** Added tests that pass on the old code too. */
  readonly addedGreen: readonly string[];
  /** Announcements, with those of their tests that no failing test needs. */
  readonly needless: readonly SourcedAnnouncement[];
  /** Announcements that cover failing tests. */
  readonly promises: readonly SourcedAnnouncement[];
};

/** Test name for a whole command that reports no names. */
export const WHOLE_COMMAND = "(the whole command)";

/**
 * Combines the four runs. A test that cannot be collected counts as failing.
 * @rule A-28 (policy) Changes of behaviour are announced before the work by whoever plans it; an announcement that no
 *   failing test needs is a finding.
 */
export function compareExamRuns(runs: ExamRuns): CrossExamination {
  const because = explainMissingVerdict(runs);
  if (because !== undefined) return { ...EMPTY_VERDICT, verdict: "none", because };
  const seen = toNamedRuns(runs);
  const edited = findEditedTests(seen);
  const named = [...listNamedTests(seen), ...edited];
  if (named.length === 0 && hasNeverPassed(runs)) return { ...EMPTY_VERDICT, verdict: "none", because: NEVER_PASSED };
  if (named.length === 0 && isUnnamedRed(runs)) return { ...EMPTY_VERDICT, verdict: "none", because: UNNAMED_RED };
  if (named.length === 0 && isUnaccountedRed(runs, seen))
    return { ...EMPTY_VERDICT, verdict: "none", because: UNACCOUNTED };
  const announced = named.filter((name) =>
    runs.announced.some(({ tests }) => tests.some((t) => isAnnouncedTest(t, name))),
  );
  const unannounced = named.filter((name) => !announced.includes(name));
  return {
    verdict: unannounced.length > 0 ? "named" : "clean",
    named: { announced, unannounced },
    missing: named.filter((name) => seen.oldOnNew.every((names) => getTestResult(names, name) === "missing")),
    edited,
    ...findWaveringTests(seen),
    unstable: seen.unstable.excused,
    loosened: named.filter((name) => isGreenOnBoth(seen, seen.later.get(name))),
    dropped: findDroppedTests(seen),
    skipped: findDroppedTests(seen).filter((name) => getTestResult(seen.now, seen.later.get(name)) === "skipped"),
    added: findAddedTests(seen).filter((name) => isPassing(seen.now, name)),
    ...findRedTests(seen, runs.unchanged === true),
    addedGreen: findAddedTests(seen).filter((name) => isGreenOnBoth(seen, name)),
    needless: findNeedlessAnnouncements(runs.announced, named),
    promises: runs.announced.filter(({ tests }) =>
      tests.some((said) => named.some((name) => isAnnouncedTest(said, name))),
    ),
  };
}

/** Empty verdict. */
export const EMPTY_VERDICT = {
  named: { announced: [], unannounced: [] },
  missing: [],
  edited: [],
  flaky: [],
  unsteady: [],
  unstable: [],
  loosened: [],
  dropped: [],
  skipped: [],
  added: [],
  red: [],
  redByAbsence: [],
  addedGreen: [],
  needless: [],
  promises: [],
} as const;

function explainMissingVerdict({ old, oldOnNew, new: now }: ExamRuns): string | undefined {
  if (old.length === 0 || !old.every(({ ran }) => ran)) return "the old exam did not run on the old code";
  if (oldOnNew.length === 0 || !oldOnNew.every(({ ran }) => ran)) return "the old exam did not run on the new code";
  if (!now.ran) return "the new exam did not run on the new code";
  const named = old.every(hasNames);
  if (named && oldOnNew.some(isSilent)) return "the old exam names no tests on the new code, though it does on the old";
  return named && !hasNames(now) ? "the new exam names no tests, though the old one does" : undefined;
}

const NEVER_PASSED = "no test passed on the old code, and no old test passes on the new code";

/** If there was no test before, none can be lost. */
function hasNeverPassed({ old, oldOnNew }: ExamRuns): boolean {
  if (!old.every(hasNames) || old.every(isEmpty)) return false;
  return [...old, ...oldOnNew].every(({ names }) => !Object.values(names ?? {}).includes("passed"));
}

const UNNAMED_RED = "the old exam was red on the old code and names no tests";

/**
 * A command that was red before, without names: it supports the change only if the new code turns it green in every
 * run.
 */
function isUnnamedRed({ old, oldOnNew }: ExamRuns): boolean {
  if (old.every(hasNames) || old.every(isGreen)) return false;
  return old.some(isGreen) || !oldOnNew.every(isGreen);
}

function isGreen({ exitCode }: ExamRun): boolean {
  return exitCode === 0;
}

const UNACCOUNTED = "they end red on the new code, and none of the tests that they had on the old code says why";

/** Red although every known test passes: a failure under a new name, or without one, still belongs to the old exam. */
function isUnaccountedRed({ old, oldOnNew }: ExamRuns, seen: NamedRuns): boolean {
  if (old.every(isGreen)) return !oldOnNew.some(isGreen);
  // A test that was red once on the old code explains only its own failures.
  if (oldOnNew.every(isNameless) && !old.some(isNameless)) return true;
  const known = new Set(seen.old.flatMap((names) => Object.keys(names)));
  const [first = {}, ...more] = seen.oldOnNew;
  const fails = (names: TestNames, name: string) => getTestResult(names, name) === "failed";
  return Object.keys(first).some(
    (name) => !known.has(name) && fails(first, name) && more.every((names) => fails(names, name)),
  );
}

/** Red without a failed test: something after the tests failed, such as a type check. */
function isNameless({ exitCode, names = {} }: ExamRun): boolean {
  return exitCode !== 0 && !Object.values(names).includes("failed");
}

function hasNames({ names }: ExamRun): boolean {
  return names !== undefined;
}

function isEmpty({ exitCode, names = {} }: ExamRun): boolean {
  return exitCode === 0 && Object.keys(names).length === 0;
}

/** Green without names, which may mean all tests or none. A failure without names is unambiguous. */
function isSilent(run: ExamRun): boolean {
  return !hasNames(run) && run.exitCode === 0;
}

/** Runs in which everything has a name. */
type NamedRuns = {
  readonly old: readonly TestNames[];
  readonly oldOnNew: readonly TestNames[];
  readonly now: TestNames;
  readonly unstable: UnstableTests;
  /** Absent if it did not run, or gave no result. */
  readonly newOnOld?: readonly TestNames[];
  /** Old names → the same tests in the new exam, and the reverse. */
  readonly later: ReadonlyMap<string, string>;
  readonly earlier: ReadonlyMap<string, string>;
};

function toNamedRuns(runs: ExamRuns): NamedRuns {
  const byName = runs.old.every(hasNames);
  const seen = (run: ExamRun) => (byName ? (run.names ?? {}) : toWholeCommandNames(run));
  const old = runs.old.map(seen);
  const before: TestNames = Object.assign({}, ...old);
  const now = seen(runs.new);
  const later = matchCounterparts(before, now);
  const earlier = new Map([...later].map(([from, to]) => [to, from]));
  const oldOnNew = runs.oldOnNew.map(seen);
  const unstable = findUnstableNames({ old, oldOnNew });
  const { newOnOld } = runs;
  const isUsable = newOnOld?.every((run) => run.ran && !(byName && isSilent(run))) ?? false;
  return {
    old,
    oldOnNew,
    now,
    unstable,
    later,
    earlier,
    ...(newOnOld && isUsable ? { newOnOld: newOnOld.map(seen) } : {}),
  };
}

function toWholeCommandNames({ exitCode }: ExamRun): TestNames {
  return { [WHOLE_COMMAND]: exitCode === 0 ? "passed" : "failed" };
}

function isPassing(names: TestNames, name: string | undefined): boolean {
  return getTestResult(names, name) === "passed";
}

/** Lists the tests that passed in every run of the old exam on the old code. */
function listSteadyTests({ old }: NamedRuns): readonly string[] {
  const [first = {}, ...more] = old;
  return Object.keys(first).filter((name) => isPassing(first, name) && more.every((names) => isPassing(names, name)));
}

function listNamedTests(seen: NamedRuns): readonly string[] {
  const failing = listSteadyTests(seen).filter((name) => !seen.oldOnNew.some((names) => isPassing(names, name)));
  return [...failing, ...seen.unstable.lost];
}

/**
 * Finds tests that stopped failing only because they were edited.
 * @rule A-36 (gate) A test that was red on the base counts as evidence only if its old form passes on the new code;
 *   one that stops failing only because it was edited is listed like a regression.
 */
function findEditedTests(seen: NamedRuns): readonly string[] {
  const { old, oldOnNew, now, later } = seen;
  const [first = {}] = old;
  const red = Object.keys(first).filter((name) => old.every((names) => getTestResult(names, name) === "failed"));
  const known = new Set(old.flatMap((names) => Object.keys(names)));
  const failing = oldOnNew.map((names) => findStillFailing(red, { names, known }));
  return red.filter(
    (name) => failing.every((each) => each.has(name)) && getTestResult(now, later.get(name)) !== "failed",
  );
}

type OldOnNewRun = { readonly names: TestNames; readonly known: ReadonlySet<string> };

/**
 * Finds the red tests that the new code alone does not fix. A missing test counts as failing, for example because its
 * file cannot be collected. A missing failure outside of tests is fixed, and so is one whose title differs on every
 * run.
 */
function findStillFailing(red: readonly string[], { names, known }: OldOnNewRun): ReadonlySet<string> {
  const retitled = countByFile(listPassing(names).filter((name) => !known.has(name)));
  const gone = red.filter((name) => getTestResult(names, name) === "missing" && !isOutsideTests(name));
  const goneByFile = countByFile(gone);
  const isLost = (name: string) => (goneByFile.get(getTestFile(name)) ?? 0) > (retitled.get(getTestFile(name)) ?? 0);
  const failing = red.filter((name) => getTestResult(names, name) !== "missing" && !isPassing(names, name));
  return new Set([...failing, ...gone.filter(isLost)]);
}

/** Considers only known tests of the old exam: a title that differs on every run is not a flaky test. */
function findWaveringTests({ old, oldOnNew, unstable }: NamedRuns): Pick<CrossExamination, "flaky" | "unsteady"> {
  const counted = new Set([...unstable.excused, ...unstable.lost].map(getTestFile));
  const isKnown = (name: string) => old.every((run) => Object.hasOwn(run, name));
  const isWavering = (runs: readonly TestNames[], name: string) =>
    runs.some((run) => isPassing(run, name)) && !runs.every((run) => isPassing(run, name));
  const names = [...new Set(old.flatMap((run) => Object.keys(run)))];
  const flaky = names.filter((name) => isKnown(name) && isWavering(oldOnNew, name));
  const isNeverPassing = (name: string) => !oldOnNew.some((run) => isPassing(run, name));
  const unsteady = names.filter((name) => isWavering(old, name) && isNeverPassing(name));
  return { flaky, unsteady: unsteady.filter((name) => isKnown(name) || !counted.has(getTestFile(name))) };
}

function isGreenOnBoth({ now, newOnOld }: NamedRuns, name: string | undefined): boolean {
  return isPassing(now, name) && (newOnOld?.some((names) => isPassing(names, name)) ?? false);
}

function findDroppedTests(seen: NamedRuns): readonly string[] {
  const stillTrue = listSteadyTests(seen).filter((name) => seen.oldOnNew.every((names) => isPassing(names, name)));
  return stillTrue.filter((name) => {
    const end = getTestResult(seen.now, seen.later.get(name));
    return end === "missing" || end === "skipped";
  });
}

function findAddedTests({ now, earlier }: NamedRuns): readonly string[] {
  return Object.keys(now).filter((name) => !earlier.has(name));
}

function findRedTests(seen: NamedRuns, unchanged: boolean): Pick<CrossExamination, "red" | "redByAbsence"> {
  const { now, newOnOld = [], old, oldOnNew, earlier } = seen;
  const isRedBefore = (name: string | undefined) => old.every((names) => getTestResult(names, name) === "failed");
  const isFixed = (name: string | undefined) => oldOnNew.every((names) => isPassing(names, name));
  const sat = newOnOld.map((names) => ({ names, isRetitled: retitled(now, names) }));
  const isRedOnOld = (name: string) =>
    sat.length > 0 && sat.every(({ names, isRetitled }) => !isPassing(names, name) && !isRetitled(name));
  const isRed = (name: string) => {
    const before = earlier.get(name);
    if (!isRedBefore(before))
      return isRedOnOld(name) || (unchanged && old.every((names) => isUncollected(names, name)));
    // A test whose new form passes there may have failed by chance.
    return isFixed(before) && !newOnOld.some((names) => isPassing(names, name));
  };
  const red = Object.keys(now).filter((name) => isPassing(now, name) && isRed(name));
  const isAbsent = (name: string) => newOnOld.some((names) => getTestResult(names, name) === "missing");
  return { red, redByAbsence: red.filter((name) => isAbsent(name) && !isRedBefore(earlier.get(name))) };
}

/** The test existed before its code, but its file could not be loaded. A test inside the code itself does not count. */
function isUncollected(names: TestNames, name: string): boolean {
  const isFailing = (each: string) => isOutsideTests(each) && getTestResult(names, each) === "failed";
  return (
    getTestResult(names, name) === "missing" &&
    Object.keys(names).some((each) => isFailing(each) && isInFile(each, name))
  );
}

/** A missing name is only a new title if as many tests of the same file pass on the old code. */
function retitled(now: TestNames, newOnOld: TestNames): (name: string) => boolean {
  const [wanted, found] = [now, newOnOld].map((names) => countByFile(listPassing(names)));
  const count = (counts: typeof wanted, name: string) => counts?.get(getTestFile(name)) ?? 0;
  return (name) => getTestResult(newOnOld, name) === "missing" && count(found, name) >= count(wanted, name);
}

function findNeedlessAnnouncements(
  announced: readonly SourcedAnnouncement[],
  named: readonly string[],
): readonly SourcedAnnouncement[] {
  return announced.flatMap((announcement) => {
    const tests = announcement.tests.filter((said) => !named.some((name) => isAnnouncedTest(said, name)));
    return tests.length > 0 ? [{ ...announcement, tests }] : [];
  });
}
