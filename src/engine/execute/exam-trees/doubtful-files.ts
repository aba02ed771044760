import type { Change } from "../../../core/authoring/observations.ts";
import { classifyPath, isSharedSettings, isTestsOwn } from "../../../core/checks/exam/exam-path.ts";
import { findLostExpectations, isData, isTool } from "../../../core/checks/exam/expectations.ts";
import type { StartedPrograms } from "../../../core/checks/exam/started-programs.ts";
import type { ExamRequest } from "../../../core/journal/effect.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { findDataFiles } from "./data-files.ts";
import { findReadByCode } from "./file-readers.ts";
import type { Splice } from "./split-file.ts";

type SplitFiles = {
  readonly back: ReadonlySet<string>;
  readonly splices: readonly Splice[];
  readonly starts: StartedPrograms;
  /** Files that seem to be code and may be tests. */
  readonly doubtful: readonly string[];
};

/**
 * Lists files among the tests that may belong to the product: named like a test or like its launcher, settings of its
 * own among those of a test program, or a file that the product reads. Restored with the old tests, their new version
 * would never be examined.
 */
export async function findSwallowed(
  workspace: Workspace,
  request: ExamRequest,
  { back, splices, starts }: SplitFiles,
): Promise<readonly string[]> {
  const collected = new Set(request.collected);
  const isNamed = (path: string) => !collected.has(path) && (!isTestsOwn(path) || isSharedSettings(path));
  const others = [...back].filter((path) => !isNamed(path));
  const read = await findReadByCode(workspace, { ...request, collected, paths: others, starts });
  const spliced = splices.filter(({ oldOnNew, after }) => oldOnNew !== undefined && oldOnNew !== after);
  const doubtful = [...back].filter((path) => isNamed(path) || read.has(path));
  return [...doubtful, ...spliced.map(({ path }) => path)].sort();
}

/** Lists files among the code that may define expectations: data that tests read, or programs that a command starts. */
export async function findOverlooked(
  workspace: Workspace,
  { old, collected = [], changes }: ExamRequest & { readonly changes: readonly Change[] },
  { back, starts, doubtful }: SplitFiles,
): Promise<readonly string[]> {
  const open = changes
    .filter(({ path, status }) => status !== "added" && !back.has(path) && classifyPath(path) !== "mixed")
    .map(({ path }) => path);
  const read = await findDataFiles(workspace, { tree: old, paths: open, starts });
  const isStarted = (path: string) => isTool(path) || starts.programs.has(path);
  const isTest = (path: string) =>
    doubtful.includes(path) || (classifyPath(path) === "likely" && collected.includes(path));
  const mayExpect = (path: string) => isData(path) || read.has(path) || isCollectedText(path, collected);
  return open.filter((path) => mayExpect(path) || isStarted(path) || isTest(path));
}

/** Matches a README whose examples run as tests. */
function isCollectedText(path: string, collected: readonly string[]): boolean {
  return /\.(?:md|rst|txt)$/.test(path) && collected.includes(path);
}

/** Lists sources that contain tests and have lost some of their expectations. */
export async function findMingled(
  workspace: Workspace,
  { old, new: tree, collected = [] }: ExamRequest,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const doctests = (await workspace.mentions(old, ["doctest"])) ?? [];
  const hasTests = (path: string) => collected.includes(path) || (path.endsWith(".py") && doctests.length > 0);
  const code = changes.filter(({ path, status }) => status === "modified" && classifyPath(path) === "code");
  const found = await Promise.all(
    code.map(async ({ path }) => {
      if (!hasTests(path)) return [];
      const [before, after] = await Promise.all([workspace.file(path, old), workspace.file(path, tree)]);
      return findLostExpectations(before?.text ?? "", after?.text ?? "").length > 0 ? [path] : [];
    }),
  );
  return found.flat();
}
