import type { ExamRequest } from "../../core/effect.ts";
import { isTestsOwn, pathKind } from "../../core/evidence/exam/exam-path.ts";
import { isData, isTool, lostExpectations } from "../../core/evidence/exam/expectations.ts";
import type { Starts } from "../../core/evidence/exam/started.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import type { Change } from "../../core/sight.ts";
import type { Splice } from "./exam-splice.ts";

/** Names and uses tell tests from code, but not for sure: the old tests sit once more where they may be wrong. */
export type Doubtful = { readonly tree: string; readonly paths: readonly string[] };

type Parted = {
  readonly back: ReadonlySet<string>;
  readonly splices: readonly Splice[];
  readonly starts: Starts;
};

/**
 * A product may have a file that is named like a test or made by what starts them. Put back with the exam it would be
 * examined by nobody: here it stays as it is now.
 */
export async function swallowed(
  workspace: Workspace,
  request: ExamRequest,
  { back, splices }: Parted,
): Promise<Doubtful | undefined> {
  const collected = new Set(request.collected);
  const isDoubtful = (path: string) => !collected.has(path) && !isTestsOwn(path);
  const spliced = splices.filter(({ oldOnNew, after }) => oldOnNew !== undefined && oldOnNew !== after);
  const paths = [...[...back].filter(isDoubtful), ...spliced.map(({ path }) => path)].sort();
  if (paths.length === 0) return undefined;
  const certain = [...back].filter((path) => !isDoubtful(path));
  const tree = await workspace.compose(request.new, { from: request.old, paths: certain, texts: [] });
  return tree === request.new ? undefined : { tree, paths };
}

/** What tests read, or what a command starts, may say what is right, wherever it lies: here it is as it was, too. */
export async function overlooked(
  workspace: Workspace,
  { old, collected = [], changes, oldOnNew }: ExamRequest & { changes: readonly Change[]; oldOnNew: string },
  { back, starts }: Parted,
): Promise<Doubtful | undefined> {
  const isStarted = (path: string) => isTool(path) || starts.programs.has(path);
  const says = (path: string) => isData(path) || isStarted(path) || isCollectedText(path, collected);
  const open = changes.filter(
    ({ path, status }) => status !== "added" && !back.has(path) && pathKind(path) !== "mixed",
  );
  const paths = open.map(({ path }) => path).filter(says);
  if (paths.length === 0) return undefined;
  const tree = await workspace.compose(oldOnNew, { from: old, paths, texts: [] });
  return tree === oldOnNew ? undefined : { tree, paths };
}

/** A README whose examples are run. */
function isCollectedText(path: string, collected: readonly string[]): boolean {
  return /\.(?:md|rst|txt)$/.test(path) && collected.includes(path);
}

/** Sources that tests were seen to come from, and that have lost some of what they expected. */
export async function mingled(
  workspace: Workspace,
  { old, new: tree, collected = [] }: ExamRequest,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const doctests = (await workspace.mentions(old, ["doctest"])) ?? [];
  const holdsTests = (path: string) => collected.includes(path) || (path.endsWith(".py") && doctests.length > 0);
  const code = changes.filter(({ path, status }) => status === "modified" && pathKind(path) === "code");
  const found = await Promise.all(
    code.map(async ({ path }) => {
      if (!holdsTests(path)) return [];
      const [before, after] = await Promise.all([workspace.file(path, old), workspace.file(path, tree)]);
      return lostExpectations(before?.text ?? "", after?.text ?? "").length > 0 ? [path] : [];
    }),
  );
  return found.flat();
}
