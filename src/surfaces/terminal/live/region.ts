import { counted } from "../../../core/text/counted.ts";
import type { RunPage } from "../../../views/page/page.ts";
import { clip } from "../cells.ts";
import { inAscii, type Look } from "../glyph.ts";
import { inRows } from "./fit.ts";
import { factLines, type Key, keyLine } from "./footer.ts";
import { headLines } from "./head.ts";
import { phaseLines } from "./phases.ts";
import { questionLines } from "./questions.ts";
import { agentLines, checkLines, restingLines } from "./work.ts";

export type Size = { readonly columns: number; readonly rows: number };

/** Inputs of the live region besides the page. */
export type Shown = {
  readonly size: Size;
  readonly now: number;
  readonly look: Look;
  readonly keys: readonly Key[];
  /** The action of Ctrl-C. */
  readonly leaving?: string;
  /** A message to the person: the result of a key, or why it had none. */
  readonly notice?: string | undefined;
  /** Agents are numbered because one of them is to be chosen. */
  readonly numbered?: boolean;
};

/** Maximum share of the window. The log of the run scrolls above. */
const MAX_SHARE = 0.5;
/** Keeps the last column free, because some terminals break a line that fills it. */
const EDGE = 1;

/** In a smaller window only log lines are printed. */
const MIN_SIZE: Size = { columns: 30, rows: 6 };

/** Renders the current activity below the log: state, agents, checks, questions, phases and cost. */
export function liveRegion(page: RunPage, shown: Shown): string[] {
  const { size, look } = shown;
  if (size.columns < MIN_SIZE.columns || size.rows < MIN_SIZE.rows) return [];
  const columns = size.columns - EDGE;
  const { paint, ascii } = look;
  const view = { ...shown, columns };
  const agents = agentLines(page, view);
  const lines = inRows(
    [
      { lines: [paint.dim((ascii ? "-" : "─").repeat(columns))], weight: 8 },
      { lines: headLines(page, view), weight: 9 },
      { lines: agents, weight: 7, rest: (left) => paint.dim(`    … and ${counted(left, "more agent")}`) },
      {
        lines: checkLines(page, view),
        weight: 6,
        rest: (left) => paint.dim(`    … and ${counted(left, "more check")}`),
      },
      { lines: restingLines(page, view), weight: 3, rest: (left) => paint.dim(`    … and ${left} more`) },
      {
        lines: questionLines(page, view),
        weight: 7,
        rest: (left) => paint.dim(`    … and ${counted(left, "more question")}`),
      },
      { lines: phaseLines(page, view), weight: 2 },
      { lines: factLines(page.head, view), weight: 4 },
      { lines: [keyLine(view)], weight: 1 },
    ],
    Math.max(2, Math.floor(size.rows * MAX_SHARE)),
  );
  return ascii ? lines.map((line) => clip(inAscii(line), columns, "...")) : lines;
}

/** Inputs with the number of usable columns. */
export type View = Shown & { readonly columns: number };
