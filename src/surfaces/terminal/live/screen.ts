import { countCells } from "../cells.ts";

/** A terminal screen with permanent lines and a region below them that is redrawn. */
export type Screen = {
  /** Prints permanent lines above the region. */
  above(lines: readonly string[]): void;
  /** Draws the region. Only changed lines are written. */
  show(region: readonly string[]): void;
  /** Handles a new window size, after which the drawn content is unreliable. */
  resized(columns: number): void;
  /** Erases the region and leaves the cursor where it started. */
  hide(): void;
};

const ESC = "\u001b[";
/** Makes terminals that support it display a change at once. Other terminals ignore it. */
const SYNCHRONIZED = [`${ESC}?2026h`, `${ESC}?2026l`] as const;
const [CURSOR_OFF, CURSOR_ON] = [`${ESC}?25l`, `${ESC}?25h`];
/** Disables line wrapping, so that a line too long for a window that shrank is cut. */
const [BREAKS_OFF, BREAKS_ON] = [`${ESC}?7l`, `${ESC}?7h`];
const ERASE_BELOW = `${ESC}J`;
const ERASE_RIGHT = `${ESC}K`;

export type Terminal = {
  readonly write: (text: string) => void;
  /** The terminal moves the cursor when it rewraps lines below it. */
  readonly strays?: boolean;
};

/**
 * Draws without counting rows. Between two changes the cursor stays on the first cell of the region. Terminals that
 * rewrap lines when the window changes move the cursor along, so everything from the cursor to the end can be erased,
 * and nothing above it is.
 */
export function createScreen({ write, strays = false }: Terminal): Screen {
  let drawn: readonly string[] = [];
  let known = true;
  let hidden = true;
  /** Number of rows by which the cursor has moved from its place. */
  let drift = 0;

  const change = (text: string): void => {
    const off = hidden ? CURSOR_OFF : "";
    hidden = false;
    write(`${SYNCHRONIZED[0]}${off}${text}${SYNCHRONIZED[1]}`);
  };
  const start = (): string => {
    const up = drift > 0 ? `${ESC}${drift}A` : "";
    drift = 0;
    return `${up}\r`;
  };
  const draw = (region: readonly string[]): string =>
    region.length === 0 ? "" : `${BREAKS_OFF}${region.join("\r\n")}${BREAKS_ON}${moveToStart(region.length)}`;

  return {
    above(lines) {
      const text = lines.map((line) => `${line}\r\n`).join("");
      if (drawn.length === 0) write(text);
      else change(`${start()}${ERASE_BELOW}${text}${draw(drawn)}`);
    },
    show(region) {
      if (known && !hidden && isSameRegion(region, drawn)) return;
      if (known && !hidden && drawn.length > 0) change(`${BREAKS_OFF}${redraw(drawn, region)}${BREAKS_ON}`);
      else change(`${start()}${ERASE_BELOW}${draw(region)}`);
      drawn = region;
      known = true;
    },
    resized(columns) {
      known = false;
      if (strays) drift += countCursorDrift(drawn, columns);
    },
    hide() {
      if (hidden) return;
      hidden = true;
      drawn = [];
      known = true;
      write(`${start()}${ERASE_BELOW}${CURSOR_ON}`);
    },
  };
}

/** Rewrites changed lines and erases the remaining ones. */
function redraw(before: readonly string[], after: readonly string[]): string {
  const lines = after.map((line, at) => (before[at] === line ? "" : `${line}${ERASE_RIGHT}`));
  const rest = after.length < before.length ? `\r\n${ERASE_BELOW}${ESC}A` : "";
  return `${lines.join("\r\n")}${rest}${moveToStart(after.length)}`;
}

/** Moves the cursor from the last line of a region to its first cell. */
const moveToStart = (lines: number): string => `${lines > 1 ? `${ESC}${lines - 1}A` : ""}\r`;

const isSameRegion = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

/**
 * Computes how far rewrapped lines move the cursor down. Such terminals process lines from the last to the first and
 * skip the one where they expect the cursor.
 */
function countCursorDrift(lines: readonly string[], columns: number): number {
  let at = 0;
  for (let line = lines.length - 1; line >= 0; line -= 1) {
    const more = Math.ceil(countCells(lines[line] ?? "") / columns) - 1;
    if (more > 0 && line !== at) at += more;
  }
  return at;
}

/** Terminals in editors and browsers that use the same library. */
const REFLOWING_TERMINALS: ReadonlySet<string> = new Set(["vscode", "Hyper", "Tabby"]);

export const movesCursorOnReflow = (env: Readonly<Record<string, string | undefined>>): boolean =>
  REFLOWING_TERMINALS.has(env["TERM_PROGRAM"] ?? "");
