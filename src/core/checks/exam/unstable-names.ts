import type { TestNames } from "../reports/test-report.ts";
import { getTestFile, getTestResult } from "./test-name.ts";

type ExamPair = {
  /** Old exam on the old code. */
  readonly old: readonly TestNames[];
  readonly oldOnNew: readonly TestNames[];
};

export type UnstableTests = {
  /** Tests with changing titles whose file has as many passing tests on the new code. */
  readonly excused: readonly string[];
  /** Tests with changing titles whose file has fewer passing tests in every run on the new code. */
  readonly lost: readonly string[];
};

/**
 * Finds titles that differ on every run, for example because they contain a date. If a name is missing in a second run
 * of the same tree while its file has as many tests, its absence proves nothing; such tests are counted per file.
 */
export function findUnstableNames({ old, oldOnNew }: ExamPair): UnstableTests {
  const [first = {}, ...more] = old;
  const isStable = (name: string) => [first, ...more].every((names) => Object.hasOwn(names, name));
  const isSteady = createCountCheck(old);
  const gone = listPassing(first).filter((name) => !isStable(name) && isSteady(getTestFile(name)));
  const left = oldOnNew.map((names) => countByFile(listPassing(names).filter((name) => !isStable(name))));
  const byFile = [...Map.groupBy(gone, getTestFile)];
  const isKept = ([file, names]: readonly [string, readonly string[]]) =>
    left.some((counts) => (counts.get(file) ?? 0) >= names.length);
  return {
    excused: byFile.filter(isKept).flatMap(([, names]) => names),
    lost: byFile.filter((each) => !isKept(each)).flatMap(([, names]) => names),
  };
}

export function listPassing(names: TestNames): readonly string[] {
  return Object.keys(names).filter((name) => getTestResult(names, name) === "passed");
}

export function countByFile(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(names, getTestFile)].map(([file, each]) => [file, each.length]));
}

/** A file that could not be collected the second time has fewer tests. That is not a changed title. */
function createCountCheck(runs: readonly TestNames[]): (file: string) => boolean {
  const counts = runs.map((names) => countByFile(Object.keys(names)));
  return (file) => new Set(counts.map((each) => each.get(file))).size === 1;
}
