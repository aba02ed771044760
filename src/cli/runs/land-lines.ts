import type { Brought, CheckoutMoved } from "../../core/ports/workspace.ts";
import { counted } from "../../core/text/counted.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { RunView } from "../../views/run-view.ts";

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
  if (checkout.updated) return [];
  return [
    paint.yellow(`  the branch has moved, your files have not: ${oneLine(checkout.because)}`),
    `  next: ${paint.cyan(checkout.command)}`,
  ];
}

/** Files that a run of a team kept in its own checkout, and what became of the person's. */
export function broughtLines(paint: Paint, files?: Brought): readonly string[] {
  const { brought = [], edited = [] } = files ?? {};
  return [
    ...(brought.length > 0 ? [paint.dim("  brought from the run's own checkout:"), ...pathLines(paint, brought)] : []),
    ...(edited.length > 0 ? [paint.yellow("  left as you have edited them:"), ...pathLines(paint, edited)] : []),
  ];
}

export const files = (count: number): string => counted(count, "file");
export const short = (commit: string): string => commit.slice(0, 10);
