import type { SourcedAnnouncement } from "../../authoring/announcement.ts";
import type { TestNames } from "../reports/test-report.ts";
import { counterparts, endOf, fileOf, isInFile, isOutsideTests, speaksOf } from "./test-name.ts";
import { countByFile, passing, type UnstableTests, unstableNames } from "./unstable-names.ts";

/** One execution of a test command. `ran`: false where it could not run at all, as when its program is missing. */
export type ExamRun = { readonly exitCode: number | null; readonly names?: TestNames; readonly ran: boolean };

export type ExamRuns = {
  /** The old exam on the old code; a second run tells titles that differ each time from tests that are gone. */
  readonly old: readonly ExamRun[];
  /** The old exam on the new code; a second run tells what fails from what is flaky. */
  readonly oldOnNew: readonly ExamRun[];
  /** The new exam on the new code. */
  readonly new: ExamRun;
  /** The new exam on the old code; a second run tells what is red from what is flaky. Absent where it did not run. */
  readonly newOnOld?: readonly ExamRun[];
  /** The exam is as it was: what the old code shows, the new exam would show too. */
  readonly unchanged?: boolean;
  readonly announced: readonly SourcedAnnouncement[];
};

export type CrossExamination = {
  /** `none` is never as good as passed. */
  readonly verdict: "clean" | "named" | "none";
  /** Why there is no verdict. */
  readonly because?: string;
  /**
   * Passed on the old code whenever it ran, and fails, is skipped or missing on the new code whenever it ran; or `edited`.
   */
  readonly named: { readonly announced: readonly string[]; readonly unannounced: readonly string[] };
  /** Those of them that are not there at all on the new code. */
  readonly missing: readonly string[];
  /** Those of them that failed on the old code, and fail on the new code in their old form: only their new form does not. */
  readonly edited: readonly string[];
  /** Passes on the new code once, and once it does not. */
  readonly flaky: readonly string[];
  /** Passes on the old code once and once it does not, and never passes on the new code. */
  readonly unsteady: readonly string[];
  /** Has another title each time it runs on the old code: only counted. */
  readonly unstable: readonly string[];
  /** Named, and its new version passes on both codes: it no longer tells them apart. */
  readonly loosened: readonly string[];
  /** Gone from the new exam, or skipped there, though it still passes on the new code. */
  readonly dropped: readonly string[];
  /** Those of them that are there and skipped. */
  readonly skipped: readonly string[];
  /** Pass in the new exam under a name that the old one does not know. */
  readonly added: readonly string[];
  /**
   * Passes on the new code and never on the old one: what shows that the change does something. A test that was red there
   * counts only if its old form passes on the new code.
   */
  readonly red: readonly string[];
  /** Those of them that do not even exist on the old code, such as a file that imports what is new. */
  readonly redByAbsence: readonly string[];
  /** Tests that the change added and that pass on the old code too. */
  readonly addedGreen: readonly string[];
  /** Announceds with those of their tests that no failing test needs. */
  readonly needless: readonly SourcedAnnouncement[];
  /** What failing tests were announced by. */
  readonly promises: readonly SourcedAnnouncement[];
};

/** The name of a whole command, where it gives none of its own. */
export const WHOLE_COMMAND = "(the whole command)";

/**
 * What the four runs say together. A test that cannot be collected counts as failing.
 * @rule A-28 (policy) Changes of behaviour are announced before the work, by whoever plans it; an announcement that no
 *   failing test needs is a finding.
 */
export function crossExamine(runs: ExamRuns): CrossExamination {
  const because = noVerdict(runs);
  if (because !== undefined) return { ...NOTHING, verdict: "none", because };
  const seen = seenIn(runs);
  const edited = findEditedTests(seen);
  const named = [...namedIn(seen), ...edited];
  if (named.length === 0 && hasNeverPassed(runs)) return { ...NOTHING, verdict: "none", because: NEVER_PASSED };
  if (named.length === 0 && isUnnamedRed(runs)) return { ...NOTHING, verdict: "none", because: UNNAMED_RED };
  if (named.length === 0 && isUnaccountedRed(runs, seen)) return { ...NOTHING, verdict: "none", because: UNACCOUNTED };
  const announced = named.filter((name) => runs.announced.some(({ tests }) => tests.some((t) => speaksOf(t, name))));
  const unannounced = named.filter((name) => !announced.includes(name));
  return {
    verdict: unannounced.length > 0 ? "named" : "clean",
    named: { announced, unannounced },
    missing: named.filter((name) => seen.oldOnNew.every((names) => endOf(names, name) === "missing")),
    edited,
    ...waveringIn(seen),
    unstable: seen.unstable.excused,
    loosened: named.filter((name) => isGreenOnBoth(seen, seen.later.get(name))),
    dropped: droppedIn(seen),
    skipped: droppedIn(seen).filter((name) => endOf(seen.now, seen.later.get(name)) === "skipped"),
    added: addedIn(seen).filter((name) => passes(seen.now, name)),
    ...redIn(seen, runs.unchanged === true),
    addedGreen: addedIn(seen).filter((name) => isGreenOnBoth(seen, name)),
    needless: needlessIn(runs.announced, named),
    promises: runs.announced.filter(({ tests }) => tests.some((said) => named.some((name) => speaksOf(said, name)))),
  };
}

/** A verdict with nothing in it, to begin one with. */
export const NOTHING = {
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

function noVerdict({ old, oldOnNew, new: now }: ExamRuns): string | undefined {
  if (old.length === 0 || !old.every(({ ran }) => ran)) return "the old exam did not run on the old code";
  if (oldOnNew.length === 0 || !oldOnNew.every(({ ran }) => ran)) return "the old exam did not run on the new code";
  if (!now.ran) return "the new exam did not run on the new code";
  const named = old.every(hasNames);
  if (named && oldOnNew.some(isSilent)) return "the old exam names no tests on the new code, though it does on the old";
  return named && !hasNames(now) ? "the new exam names no tests, though the old one does" : undefined;
}

const NEVER_PASSED = "no test passed on the old code, and no old test passes on the new code";

/** Where there was no test yet, none can be lost. */
function hasNeverPassed({ old, oldOnNew }: ExamRuns): boolean {
  if (!old.every(hasNames) || old.every(isEmpty)) return false;
  return [...old, ...oldOnNew].every(({ names }) => !Object.values(names ?? {}).includes("passed"));
}

const UNNAMED_RED = "the old exam was red on the old code and names no tests";

/** Red before, without names: only the code of the change turning it green, each time, says something about the change. */
function isUnnamedRed({ old, oldOnNew }: ExamRuns): boolean {
  if (old.every(hasNames) || old.every(isGreen)) return false;
  return old.some(isGreen) || !oldOnNew.every(isGreen);
}

function isGreen({ exitCode }: ExamRun): boolean {
  return exitCode === 0;
}

const UNACCOUNTED = "they end red on the new code, and none of the tests that they had on the old code says why";

/** Red though every known test passes: a failure under a new name, or none, is still one of the old exam's. */
function isUnaccountedRed({ old, oldOnNew }: ExamRuns, seen: NamedRuns): boolean {
  if (old.every(isGreen)) return !oldOnNew.some(isGreen);
  // A test that was red once on the old code accounts for its own failures alone.
  if (oldOnNew.every(isNameless) && !old.some(isNameless)) return true;
  const known = new Set(seen.old.flatMap((names) => Object.keys(names)));
  const [first = {}, ...more] = seen.oldOnNew;
  const fails = (names: TestNames, name: string) => endOf(names, name) === "failed";
  return Object.keys(first).some(
    (name) => !known.has(name) && fails(first, name) && more.every((names) => fails(names, name)),
  );
}

/** Red, and no test of it failed: what comes after the tests, such as a check of types, has. */
function isNameless({ exitCode, names = {} }: ExamRun): boolean {
  return exitCode !== 0 && !Object.values(names).includes("failed");
}

function hasNames({ names }: ExamRun): boolean {
  return names !== undefined;
}

function isEmpty({ exitCode, names = {} }: ExamRun): boolean {
  return exitCode === 0 && Object.keys(names).length === 0;
}

/** It ended well and does not say with which tests: that may be all of them or none. Failing without names is plain. */
function isSilent(run: ExamRun): boolean {
  return !hasNames(run) && run.exitCode === 0;
}

/** The same runs with a name for everything. */
type NamedRuns = {
  readonly old: readonly TestNames[];
  readonly oldOnNew: readonly TestNames[];
  readonly now: TestNames;
  readonly unstable: UnstableTests;
  /** Absent where there was no such run, or none that says anything. */
  readonly newOnOld?: readonly TestNames[];
  /** Old names → the same tests in the new exam, and the other way round. */
  readonly later: ReadonlyMap<string, string>;
  readonly earlier: ReadonlyMap<string, string>;
};

function seenIn(runs: ExamRuns): NamedRuns {
  const byName = runs.old.every(hasNames);
  const seen = (run: ExamRun) => (byName ? (run.names ?? {}) : wholeOf(run));
  const old = runs.old.map(seen);
  const before: TestNames = Object.assign({}, ...old);
  const now = seen(runs.new);
  const later = counterparts(before, now);
  const earlier = new Map([...later].map(([from, to]) => [to, from]));
  const oldOnNew = runs.oldOnNew.map(seen);
  const unstable = unstableNames({ old, oldOnNew });
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

function wholeOf({ exitCode }: ExamRun): TestNames {
  return { [WHOLE_COMMAND]: exitCode === 0 ? "passed" : "failed" };
}

function passes(names: TestNames, name: string | undefined): boolean {
  return endOf(names, name) === "passed";
}

/** Passed whenever the old exam sat on the old code. */
function steady({ old }: NamedRuns): readonly string[] {
  const [first = {}, ...more] = old;
  return Object.keys(first).filter((name) => passes(first, name) && more.every((names) => passes(names, name)));
}

function namedIn(seen: NamedRuns): readonly string[] {
  const failing = steady(seen).filter((name) => !seen.oldOnNew.some((names) => passes(names, name)));
  return [...failing, ...seen.unstable.lost];
}

/**
 * Tests that no longer fail only because they were changed.
 * @rule A-36 (gate) A test that was red on the base counts as evidence only if its old form passes on the new code; one
 *   that stops failing only because it was edited is listed like a regression.
 */
function findEditedTests(seen: NamedRuns): readonly string[] {
  const { old, oldOnNew, now, later } = seen;
  const [first = {}] = old;
  const red = Object.keys(first).filter((name) => old.every((names) => endOf(names, name) === "failed"));
  const known = new Set(old.flatMap((names) => Object.keys(names)));
  const failing = oldOnNew.map((names) => findStillFailing(red, { names, known }));
  return red.filter((name) => failing.every((each) => each.has(name)) && endOf(now, later.get(name)) !== "failed");
}

type OldOnNewRun = { readonly names: TestNames; readonly known: ReadonlySet<string> };

/**
 * The red tests that the code alone does not make pass. One that is missing counts as failing, as where its file cannot be
 * collected; but a failure outside of the tests is over when it is missing, and so is one whose title differs each time.
 */
function findStillFailing(red: readonly string[], { names, known }: OldOnNewRun): ReadonlySet<string> {
  const retitled = countByFile(passing(names).filter((name) => !known.has(name)));
  const gone = red.filter((name) => endOf(names, name) === "missing" && !isOutsideTests(name));
  const goneByFile = countByFile(gone);
  const isLost = (name: string) => (goneByFile.get(fileOf(name)) ?? 0) > (retitled.get(fileOf(name)) ?? 0);
  const failing = red.filter((name) => endOf(names, name) !== "missing" && !passes(names, name));
  return new Set([...failing, ...gone.filter(isLost)]);
}

/** Of tests that the old exam is known to have: a title that differs each time is no test that comes and goes. */
function waveringIn({ old, oldOnNew, unstable }: NamedRuns): Pick<CrossExamination, "flaky" | "unsteady"> {
  const counted = new Set([...unstable.excused, ...unstable.lost].map(fileOf));
  const isKnown = (name: string) => old.every((run) => Object.hasOwn(run, name));
  const wavers = (runs: readonly TestNames[], name: string) =>
    runs.some((run) => passes(run, name)) && !runs.every((run) => passes(run, name));
  const names = [...new Set(old.flatMap((run) => Object.keys(run)))];
  const flaky = names.filter((name) => isKnown(name) && wavers(oldOnNew, name));
  const neverPasses = (name: string) => !oldOnNew.some((run) => passes(run, name));
  const unsteady = names.filter((name) => wavers(old, name) && neverPasses(name));
  return { flaky, unsteady: unsteady.filter((name) => isKnown(name) || !counted.has(fileOf(name))) };
}

function isGreenOnBoth({ now, newOnOld }: NamedRuns, name: string | undefined): boolean {
  return passes(now, name) && (newOnOld?.some((names) => passes(names, name)) ?? false);
}

function droppedIn(seen: NamedRuns): readonly string[] {
  const stillTrue = steady(seen).filter((name) => seen.oldOnNew.every((names) => passes(names, name)));
  return stillTrue.filter((name) => {
    const end = endOf(seen.now, seen.later.get(name));
    return end === "missing" || end === "skipped";
  });
}

function addedIn({ now, earlier }: NamedRuns): readonly string[] {
  return Object.keys(now).filter((name) => !earlier.has(name));
}

function redIn(seen: NamedRuns, unchanged: boolean): Pick<CrossExamination, "red" | "redByAbsence"> {
  const { now, newOnOld = [], old, oldOnNew, earlier } = seen;
  const wasRed = (name: string | undefined) => old.every((names) => endOf(names, name) === "failed");
  const isFixed = (name: string | undefined) => oldOnNew.every((names) => passes(names, name));
  const sat = newOnOld.map((names) => ({ names, isRetitled: retitled(now, names) }));
  const isRedOnOld = (name: string) =>
    sat.length > 0 && sat.every(({ names, isRetitled }) => !passes(names, name) && !isRetitled(name));
  const isRed = (name: string) => {
    const before = earlier.get(name);
    if (!wasRed(before)) return isRedOnOld(name) || (unchanged && old.every((names) => isUncollected(names, name)));
    // What passes there all the same, in its new form, may have failed by chance.
    return isFixed(before) && !newOnOld.some((names) => passes(names, name));
  };
  const red = Object.keys(now).filter((name) => passes(now, name) && isRed(name));
  const isAbsent = (name: string) => newOnOld.some((names) => endOf(names, name) === "missing");
  return { red, redByAbsence: red.filter((name) => isAbsent(name) && !wasRed(earlier.get(name))) };
}

/** It was there before its code: its file could not be loaded, so a test that the code itself holds does not count. */
function isUncollected(names: TestNames, name: string): boolean {
  const isFailing = (each: string) => isOutsideTests(each) && endOf(names, each) === "failed";
  return endOf(names, name) === "missing" && Object.keys(names).some((each) => isFailing(each) && isInFile(each, name));
}

/** Where as many tests of the same file pass on the old code, one that is not there under its name has another title. */
function retitled(now: TestNames, newOnOld: TestNames): (name: string) => boolean {
  const [wanted, found] = [now, newOnOld].map((names) => countByFile(passing(names)));
  const count = (counts: typeof wanted, name: string) => counts?.get(fileOf(name)) ?? 0;
  return (name) => endOf(newOnOld, name) === "missing" && count(found, name) >= count(wanted, name);
}

function needlessIn(
  announced: readonly SourcedAnnouncement[],
  named: readonly string[],
): readonly SourcedAnnouncement[] {
  return announced.flatMap((announcement) => {
    const tests = announcement.tests.filter((said) => !named.some((name) => speaksOf(said, name)));
    return tests.length > 0 ? [{ ...announcement, tests }] : [];
  });
}
