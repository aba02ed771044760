import { EXIT } from "../../core/failure/exit-codes.ts";
import type { Brought, CheckoutMoved, ForeignCommit } from "../../core/ports/workspace.ts";
import { counted } from "../../core/text/counted.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { RunView } from "../../views/run-view.ts";

/** A file that a run has written into the checkout, and whether the last commit has something else. */
export type KeptFile = { readonly path: string; readonly differs: boolean };

const MOST_PATHS = 12;

/** The files that a move of the branch changed, as many as are read. */
export function pathLines(paint: Paint, paths: readonly string[]): readonly string[] {
  const shown = paths.slice(0, MOST_PATHS).map((path) => paint.dim(`    ${oneLine(path)}`));
  return paths.length > MOST_PATHS ? [...shown, paint.dim(`    … and ${paths.length - MOST_PATHS} more`)] : shown;
}

/** The same with the work before what is only about it, so that nobody has to guess what was left out. */
export function landedLines(
  paint: Paint,
  { paths, documents }: { readonly paths: readonly string[]; readonly documents: ReadonlySet<string> },
): readonly string[] {
  const work = paths.filter((path) => !documents.has(path));
  const rest = paths.filter((path) => documents.has(path));
  const lines = pathLines(paint, [...work, ...rest]);
  if (rest.length === 0) return lines;
  return [...lines, paint.dim(`    ${files(work.length)} of work, ${counted(rest.length, "document")} of the process`)];
}

export const MOST_COMMITS = 10;

/** The commits that come along and are not the run's. */
export function foreignLines(paint: Paint, commits: readonly ForeignCommit[]): readonly string[] {
  if (commits.length === 0) return [];
  const shown = commits.slice(0, MOST_COMMITS).map(({ commit, subject }) => `    ${short(commit)} ${oneLine(subject)}`);
  const more = commits.length > MOST_COMMITS ? [`    … and ${commits.length - MOST_COMMITS} more`] : [];
  return [
    paint.yellow(`  also ${counted(commits.length, "commit")} that the run only started from; \`revert\` leaves them:`),
    ...[...shown, ...more].map((line) => paint.dim(line)),
  ];
}

/** What whoever takes the work has to know of it: how sure the end is, and what was let through. */
export function doubtLines(paint: Paint, { end, caveats }: Pick<RunView, "end" | "caveats">): readonly string[] {
  const confidence = end?.type === "run.finished" ? end.confidence : undefined;
  return [
    ...(confidence === undefined || confidence === "high" ? [] : [paint.yellow(`  confidence: ${confidence}`)]),
    ...caveats.map((caveat) => `  ${paint.yellow("caveat:")} ${oneLine(caveat, MOST_OF_A_CAVEAT)}`),
  ];
}

const MOST_OF_A_CAVEAT = 600;

/** What became of the person's own files. */
export function checkoutLines(paint: Paint, checkout: CheckoutMoved): readonly string[] {
  if (checkout.updated) {
    const completed = (checkout.completed ?? []).map((path) => oneLine(path)).join(", ");
    return completed === "" ? [] : [`  completed what an earlier call had left half written: ${completed}`];
  }
  return [
    paint.yellow(`  the branch has moved, your files have not: ${oneLine(checkout.because)}`),
    `  next: ${paint.cyan(checkout.command)}`,
  ];
}

/** How `land` and `revert` exit: the branch has moved, but that is not all of it. */
export function exitOfMove(checkout: CheckoutMoved): number {
  if (checkout.updated) return 0;
  return checkout.cause === "machine" ? EXIT.io : EXIT.environment;
}

/** Of a file with states that a run keeps in the checkout: no commit has them, so its owner has to take them along. */
export function keptLines(paint: Paint, kept: readonly KeptFile[]): readonly string[] {
  return kept
    .filter(({ differs }) => differs)
    .flatMap(({ path }) => [
      paint.yellow(`  ${oneLine(path)} in your checkout has the items' new states, and no commit has them`),
      `  next: ${paint.cyan(`git commit -m "Mark what is done" -- ${quoted(path)}`)}`,
    ]);
}

/** The same after the work was taken back: what the file says of it is no longer so. */
export function stayLines(paint: Paint, kept: readonly KeptFile[]): readonly string[] {
  return kept.flatMap(({ path, differs }) => {
    const name = oneLine(path);
    const edit = `set "status" of those items to "ready" in ${name}`;
    return [
      paint.yellow(`  ${name} keeps the items' states as the run left them: what was taken back still says done`),
      differs
        ? `  next: ${paint.cyan(`git restore -- ${quoted(path)}`)}  # drops all changes in it that are not committed; else ${edit}`
        : `  next: ${edit}`,
    ];
  });
}

const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** Files that a run of a team kept in its own checkout, and what became of the person's. */
export function broughtLines(paint: Paint, files?: Brought): readonly string[] {
  const { brought = [], edited = [], refused = [] } = files ?? {};
  return [
    ...(brought.length > 0 ? [paint.dim("  brought from the run's own checkout:"), ...pathLines(paint, brought)] : []),
    ...(edited.length > 0 ? [paint.yellow("  left as you have edited them:"), ...pathLines(paint, edited)] : []),
    ...(refused.length > 0
      ? [
          paint.yellow(
            "  not brought from there: it is not what the run wrote, or it is settings or instructions of agents:",
          ),
          ...pathLines(paint, refused),
        ]
      : []),
  ];
}

export const files = (count: number): string => counted(count, "file");
export const short = (commit: string): string => commit.slice(0, 10);
