import { counted } from "../../../core/text/count.ts";
import type { RunPage } from "../../../views/page/page.ts";
import { clip } from "../cells.ts";
import { type TerminalStyle, toAscii } from "../glyph.ts";
import { formatFactLines, formatKeyLine, type KeyBinding } from "./footer.ts";
import { formatHeadLines } from "./head.ts";
import { layOutRows } from "./layout.ts";
import { formatPhaseLines } from "./phases.ts";
import { formatOpenQuestions } from "./questions.ts";
import { formatAgentLines, formatRunningChecks, formatWaitingDispatches } from "./running-work.ts";

export type Size = { readonly columns: number; readonly rows: number };

/** Inputs of the live region besides the page. */
export type RegionInput = {
  readonly size: Size;
  readonly now: number;
  readonly look: TerminalStyle;
  readonly keys: readonly KeyBinding[];
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
export function renderLiveRegion(page: RunPage, shown: RegionInput): string[] {
  const { size, look } = shown;
  if (size.columns < MIN_SIZE.columns || size.rows < MIN_SIZE.rows) return [];
  const columns = size.columns - EDGE;
  const { paint, ascii } = look;
  const view = { ...shown, columns };
  const agents = formatAgentLines(page, view);
  const lines = layOutRows(
    [
      { lines: [paint.dim((ascii ? "-" : "─").repeat(columns))], weight: 8 },
      { lines: formatHeadLines(page, view), weight: 9 },
      { lines: agents, weight: 7, rest: (left) => paint.dim(`    … and ${counted(left, "more agent")}`) },
      {
        lines: formatRunningChecks(page, view),
        weight: 6,
        rest: (left) => paint.dim(`    … and ${counted(left, "more check")}`),
      },
      { lines: formatWaitingDispatches(page, view), weight: 3, rest: (left) => paint.dim(`    … and ${left} more`) },
      {
        lines: formatOpenQuestions(page, view),
        weight: 7,
        rest: (left) => paint.dim(`    … and ${counted(left, "more question")}`),
      },
      { lines: formatPhaseLines(page, view), weight: 2 },
      { lines: formatFactLines(page.head, view), weight: 4 },
      { lines: [formatKeyLine(view)], weight: 1 },
    ],
    Math.max(2, Math.floor(size.rows * MAX_SHARE)),
  );
  return ascii ? lines.map((line) => clip(toAscii(line), columns, "...")) : lines;
}

/** Inputs with the number of usable columns. */
export type RegionView = RegionInput & { readonly columns: number };
