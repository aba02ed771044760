import type { Brought, CheckoutMoved } from "../../core/ports/workspace.ts";
import { counted } from "../../core/text/counted.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";

const MOST_PATHS = 12;

/** The files that a move of the branch changed, as many as are read. */
export function pathLines(paint: Paint, paths: readonly string[]): readonly string[] {
  const shown = paths.slice(0, MOST_PATHS).map((path) => paint.dim(`    ${oneLine(path)}`));
  return paths.length > MOST_PATHS ? [...shown, paint.dim(`    … and ${paths.length - MOST_PATHS} more`)] : shown;
}

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
