import { cellsOf } from "../cells.ts";

/** Lines that stay, and below them a region that is drawn anew. */
export type Screen = {
  /** Lines for good, above the region. */
  above(lines: readonly string[]): void;
  /** The region as it is now; only lines that changed are written. */
  show(region: readonly string[]): void;
  /** The window has another size: nothing that was drawn can be relied on. */
  resized(columns: number): void;
  /** The region is gone, and the cursor stands where it began. */
  hide(): void;
};

const ESC = "\u001b[";
/** Terminals that know it show all of a change at once; the others pass over it. */
const TOGETHER = [`${ESC}?2026h`, `${ESC}?2026l`] as const;
const [CURSOR_OFF, CURSOR_ON] = [`${ESC}?25l`, `${ESC}?25h`];
/** A line that is too long for a window that has just shrunk is cut, and never becomes two. */
const [BREAKS_OFF, BREAKS_ON] = [`${ESC}?7l`, `${ESC}?7h`];
const ERASE_BELOW = `${ESC}J`;
const ERASE_RIGHT = `${ESC}K`;

export type Terminal = {
  readonly write: (text: string) => void;
  /** Lines that are broken anew below the cursor move it, although it stood above them. */
  readonly strays?: boolean;
};

/**
 * Draws without counting rows. Between two changes the cursor rests on the first cell of the region: a terminal that
 * breaks lines anew when its window changes takes the cursor along, so that everything from there to the end is ours to
 * erase, and nothing above it ever is.
 */
export function createScreen({ write, strays = false }: Terminal): Screen {
  let drawn: readonly string[] = [];
  let known = true;
  let hidden = true;
  /** By how many rows the cursor has left its place. */
  let astray = 0;

  const change = (text: string): void => {
    const off = hidden ? CURSOR_OFF : "";
    hidden = false;
    write(`${TOGETHER[0]}${off}${text}${TOGETHER[1]}`);
  };
  const start = (): string => {
    const up = astray > 0 ? `${ESC}${astray}A` : "";
    astray = 0;
    return `${up}\r`;
  };
  const fresh = (region: readonly string[]): string =>
    region.length === 0 ? "" : `${BREAKS_OFF}${region.join("\r\n")}${BREAKS_ON}${backTo(region.length)}`;

  return {
    above(lines) {
      const text = lines.map((line) => `${line}\r\n`).join("");
      if (drawn.length === 0) write(text);
      else change(`${start()}${ERASE_BELOW}${text}${fresh(drawn)}`);
    },
    show(region) {
      if (known && !hidden && same(region, drawn)) return;
      if (known && !hidden && drawn.length > 0) change(`${BREAKS_OFF}${changed(drawn, region)}${BREAKS_ON}`);
      else change(`${start()}${ERASE_BELOW}${fresh(region)}`);
      drawn = region;
      known = true;
    },
    resized(columns) {
      known = false;
      if (strays) astray += strayed(drawn, columns);
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

/** Line by line over what is there; what is left below goes. */
function changed(before: readonly string[], after: readonly string[]): string {
  const lines = after.map((line, at) => (before[at] === line ? "" : `${line}${ERASE_RIGHT}`));
  const rest = after.length < before.length ? `\r\n${ERASE_BELOW}${ESC}A` : "";
  return `${lines.join("\r\n")}${rest}${backTo(after.length)}`;
}

/** To the first cell of a region of so many lines, from somewhere on its last. */
const backTo = (lines: number): string => `${lines > 1 ? `${ESC}${lines - 1}A` : ""}\r`;

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

/**
 * How far down the cursor is taken by lines that are broken anew. Such a terminal goes through them from the last to the
 * first, and leaves the one alone on which it believes the cursor to be.
 */
function strayed(lines: readonly string[], columns: number): number {
  let at = 0;
  for (let line = lines.length - 1; line >= 0; line -= 1) {
    const more = Math.ceil(cellsOf(lines[line] ?? "") / columns) - 1;
    if (more > 0 && line !== at) at += more;
  }
  return at;
}

/** Terminals in editors and in browsers are built on the same library. */
const STRAYING: ReadonlySet<string> = new Set(["vscode", "Hyper", "Tabby"]);

export const doesStray = (env: Readonly<Record<string, string | undefined>>): boolean =>
  STRAYING.has(env["TERM_PROGRAM"] ?? "");
