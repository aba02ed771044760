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

/** What the region is drawn from, besides the page. */
export type Shown = {
  readonly size: Size;
  readonly now: number;
  readonly look: Look;
  readonly keys: readonly Key[];
  /** What Ctrl-C does. */
  readonly leaving?: string;
  /** What was just said to the person: a key that did something, or why it did not. */
  readonly notice?: string | undefined;
  /** Agents have numbers: one of them is to be chosen. */
  readonly numbered?: boolean;
};

/** How much of the window it may take: what scrolls by above it is the run's own story. */
const SHARE = 0.5;
/** The last column stays free: a terminal that has filled it may break the line by itself. */
const EDGE = 1;

/** In a smaller window nothing is drawn: lines alone are told. */
const LEAST: Size = { columns: 30, rows: 6 };

/** What happens now, below what has happened: a rule, who works at what, what comes, and what it costs. */
export function liveRegion(page: RunPage, shown: Shown): string[] {
  const { size, look } = shown;
  if (size.columns < LEAST.columns || size.rows < LEAST.rows) return [];
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
    Math.max(2, Math.floor(size.rows * SHARE)),
  );
  return ascii ? lines.map((line) => clip(inAscii(line), columns, "...")) : lines;
}

/** The same, with the columns that may be used. */
export type View = Shown & { readonly columns: number };
