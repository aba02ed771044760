import { EXIT } from "../../core/failure/exit-codes.ts";
import type { CheckoutUpdate, CopiedRunFiles, ForeignCommit } from "../../core/ports/workspace.ts";
import { counted } from "../../core/text/count.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { RunView } from "../../views/run-view.ts";

/** A file that a run wrote into the checkout; `differs` is true if it differs from the last commit. */
export type StateFile = { readonly path: string; readonly differs: boolean };

const MOST_PATHS = 12;

/** Formats the files that a branch move changed, up to a limit. */
export function formatPaths(paint: Paint, paths: readonly string[]): readonly string[] {
  const shown = paths.slice(0, MOST_PATHS).map((path) => paint.dim(`    ${toOneLine(path)}`));
  return paths.length > MOST_PATHS ? [...shown, paint.dim(`    … and ${paths.length - MOST_PATHS} more`)] : shown;
}

/** Formats changed files with the work first and process documents last, so that the limit cuts documents first. */
export function formatLandedPaths(
  paint: Paint,
  { paths, documents }: { readonly paths: readonly string[]; readonly documents: ReadonlySet<string> },
): readonly string[] {
  const work = paths.filter((path) => !documents.has(path));
  const rest = paths.filter((path) => documents.has(path));
  const lines = formatPaths(paint, [...work, ...rest]);
  if (rest.length === 0) return lines;
  return [...lines, paint.dim(`    ${counted(work.length, "work file")}, ${counted(rest.length, "process document")}`)];
}

export const MAX_COMMITS = 10;

/** Formats the commits that are landed along but do not belong to the run. */
export function formatForeignCommits(paint: Paint, commits: readonly ForeignCommit[]): readonly string[] {
  if (commits.length === 0) return [];
  const shown = commits
    .slice(0, MAX_COMMITS)
    .map(({ commit, subject }) => `    ${shortenCommit(commit)} ${toOneLine(subject)}`);
  const more = commits.length > MAX_COMMITS ? [`    … and ${commits.length - MAX_COMMITS} more`] : [];
  return [
    paint.yellow(`  also ${counted(commits.length, "commit")} that the run started from; \`revert\` keeps them:`),
    ...[...shown, ...more].map((line) => paint.dim(line)),
  ];
}

/** Formats the confidence and the caveats of the work being landed. */
export function formatCaveats(paint: Paint, { end, caveats }: Pick<RunView, "end" | "caveats">): readonly string[] {
  const confidence = end?.type === "run.finished" ? end.confidence : undefined;
  return [
    ...(confidence === undefined || confidence === "high" ? [] : [paint.yellow(`  confidence: ${confidence}`)]),
    ...caveats.map((caveat) => `  ${paint.yellow("caveat:")} ${toOneLine(caveat, MOST_OF_A_CAVEAT)}`),
  ];
}

const MOST_OF_A_CAVEAT = 600;

/** Formats what happened to the user's checkout. */
export function formatCheckoutUpdate(paint: Paint, checkout: CheckoutUpdate): readonly string[] {
  if (checkout.updated) {
    const completed = (checkout.completed ?? []).map((path) => toOneLine(path)).join(", ");
    return completed === "" ? [] : [`  completed files that an earlier call left half written: ${completed}`];
  }
  return [
    paint.yellow(`  the branch was updated, your files were not: ${toOneLine(checkout.because)}`),
    `  next: ${paint.cyan(checkout.command)}`,
  ];
}

/** Returns the exit code of `land` and `revert` if the branch moved but the checkout was not updated. */
export function getMoveExitCode(checkout: CheckoutUpdate): number {
  if (checkout.updated) return 0;
  return checkout.cause === "machine" ? EXIT.io : EXIT.environment;
}

/** Formats state files in the checkout that no commit contains; the user has to commit them. */
export function formatStateFiles(paint: Paint, kept: readonly StateFile[]): readonly string[] {
  return kept
    .filter(({ differs }) => differs)
    .flatMap(({ path }) => [
      paint.yellow(`  ${toOneLine(path)} in your checkout has the new item states, which are not committed`),
      `  next: ${paint.cyan(`git commit -m "Mark items as done" -- ${quotePath(path)}`)}`,
    ]);
}

/** Formats the same files after a revert, when the recorded states are no longer true. */
export function formatRevertedStates(paint: Paint, kept: readonly StateFile[]): readonly string[] {
  return kept.flatMap(({ path, differs }) => {
    const name = toOneLine(path);
    const edit = `set "status" of those items to "ready" in ${name}`;
    return [
      paint.yellow(`  ${name} still has the item states that the run wrote: reverted items are marked as done`),
      differs
        ? `  next: ${paint.cyan(`git restore -- ${quotePath(path)}`)}  # discards all uncommitted changes in it; otherwise ${edit}`
        : `  next: ${edit}`,
    ];
  });
}

const quotePath = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** Formats the files copied from a team run's own checkout. */
export function formatCopiedFiles(paint: Paint, copied?: CopiedRunFiles): readonly string[] {
  const { brought = [], edited = [], refused = [] } = copied ?? {};
  return [
    ...(brought.length > 0 ? [paint.dim("  copied from the run's checkout:"), ...formatPaths(paint, brought)] : []),
    ...(edited.length > 0 ? [paint.yellow("  kept your edited version:"), ...formatPaths(paint, edited)] : []),
    ...(refused.length > 0
      ? [
          paint.yellow("  not copied: not written by the run, or settings or agent instructions:"),
          ...formatPaths(paint, refused),
        ]
      : []),
  ];
}

export const countFiles = (count: number): string => counted(count, "file");
export const shortenCommit = (commit: string): string => commit.slice(0, 10);
