import type { TestNames } from "../reports/test-report.ts";
import { endOf, fileOf } from "./test-name.ts";

type ExamPair = {
  /** The old exam on the old code. */
  readonly old: readonly TestNames[];
  readonly oldOnNew: readonly TestNames[];
};

export type UnstableTests = {
  /** Another title each time, and as many of their file pass on the new code. */
  readonly excused: readonly string[];
  /** Another title each time, and fewer of their file pass on the new code whenever it ran. */
  readonly lost: readonly string[];
};

/**
 * Titles that differ on every run, as with a date in them. A name that is gone from a second run of the same tree, though
 * its file has as many tests there, tells nothing: such tests are counted, file by file.
 */
export function unstableNames({ old, oldOnNew }: ExamPair): UnstableTests {
  const [first = {}, ...more] = old;
  const isStable = (name: string) => [first, ...more].every((names) => Object.hasOwn(names, name));
  const isSteady = sameCounts(old);
  const gone = passing(first).filter((name) => !isStable(name) && isSteady(fileOf(name)));
  const left = oldOnNew.map((names) => countByFile(passing(names).filter((name) => !isStable(name))));
  const byFile = [...Map.groupBy(gone, fileOf)];
  const isKept = ([file, names]: readonly [string, readonly string[]]) =>
    left.some((counts) => (counts.get(file) ?? 0) >= names.length);
  return {
    excused: byFile.filter(isKept).flatMap(([, names]) => names),
    lost: byFile.filter((each) => !isKept(each)).flatMap(([, names]) => names),
  };
}

export function passing(names: TestNames): readonly string[] {
  return Object.keys(names).filter((name) => endOf(names, name) === "passed");
}

export function countByFile(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(names, fileOf)].map(([file, each]) => [file, each.length]));
}

/** A file that could not be collected the second time has fewer: that is no other title. */
function sameCounts(runs: readonly TestNames[]): (file: string) => boolean {
  const counts = runs.map((names) => countByFile(Object.keys(names)));
  return (file) => new Set(counts.map((each) => each.get(file))).size === 1;
}
