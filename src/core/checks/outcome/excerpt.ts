import { removeSequences } from "../../text/terminal-sequences.ts";

/** About what a person reads before opening the file. */
export const MOST_OF_EXCERPT = 4_000;
const HEAD = 600;
const TAIL = 1_200;
/** Context of a line about a failure: the comparison follows it, the title precedes it. */
const BEFORE = 3;
const AFTER = 12;
const CUT = "[…]";

type PrintedOutput = {
  readonly output: string;
  /** Names of failed tests from reports. */
  readonly failing?: readonly string[] | undefined;
  /** Locations of the checkout, which are removed from paths. */
  readonly tops?: readonly string[];
};

/**
 * Extracts what to read first from the output of a failed command: its start and end and, between them, the lines
 * around failed tests and errors. Runners print a failing assertion at the end, in the middle, or twice.
 */
export function extractExcerpt({ output, failing = [], tops = [] }: PrintedOutput): string {
  const text = tops.reduce((all, top) => all.replaceAll(`${top}/`, ""), removeSequences(output));
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd().slice(0, LONGEST_LINE).replace(TIME, ""))
    .filter((line) => !PASSED.test(line));
  const whole = lines.join("\n").trim();
  if (whole.length <= MOST_OF_EXCERPT) return whole;
  const used = new Set([
    ...takeFromEdge(lines, { room: HEAD, step: 1 }),
    ...takeFromEdge(lines, { room: TAIL, step: -1 }),
  ]);
  let room = MOST_OF_EXCERPT - measureLines(lines, used);
  for (const at of findTellingLines(lines, failing)) {
    for (let near = Math.max(0, at - BEFORE); near <= Math.min(lines.length - 1, at + AFTER); near += 1) {
      const cost = (lines[near] ?? "").length + 1 + CUT.length + 1;
      if (used.has(near) || cost > room) continue;
      used.add(near);
      room -= cost;
    }
  }
  return joinSelectedLines(lines, used).slice(0, MOST_OF_EXCERPT);
}

const LONGEST_LINE = 400;
/** Duration after a title. It is irrelevant for the failure, and makes equal failures look different. */
const TIME = / \(\d+(?:\.\d+)? ?m?s\)$|^(?:ℹ|#) duration_ms .*$/;
/** Passed tests, one per line. */
const PASSED = /^\s*(?:[✔✓√] |ok \d+ )/;
const MOST_TITLES = 20;

function takeFromEdge(
  lines: readonly string[],
  { room, step }: { readonly room: number; readonly step: 1 | -1 },
): number[] {
  const taken: number[] = [];
  let left = room;
  for (let at = step > 0 ? 0 : lines.length - 1; at >= 0 && at < lines.length; at += step) {
    left -= (lines[at] ?? "").length + 1;
    if (left < 0) break;
    taken.push(at);
  }
  return taken;
}

/** Orders errors before the titles of failed tests, because they explain the failure. */
function findTellingLines(lines: readonly string[], failing: readonly string[]): readonly number[] {
  const titles = failing
    .slice(0, MOST_TITLES)
    .map((name) => name.slice(name.lastIndexOf("›") + 1).trim())
    .filter((title) => title !== "");
  const all = [...lines.keys()];
  const errors = all.filter((at) => ERRORS.some((pattern) => pattern.test(lines[at] ?? "")));
  const named = all.filter((at) => titles.some((title) => lines[at]?.includes(title)));
  return [...errors, ...named];
}

const ERRORS: readonly RegExp[] = [
  /\b[A-Z]\w*(?:Error|Exception|Failure)\b/,
  /^\s*(?:not ok\b|--- FAIL|FAIL\b|FAILED\b|E {3}|✖|✗|×|●)/,
  /\bpanicked at\b|^panic: |^fatal(?: error)?:/i,
  /(?:^|[\s:])error(?:\[\w+\]|\s+\w*\d+)?:/i,
  /^\s*(?:expected|actual|received)\b/i,
];

const measureLines = (lines: readonly string[], used: ReadonlySet<number>): number =>
  [...used].reduce((sum, at) => sum + (lines[at] ?? "").length + 1, 2 * (CUT.length + 1));

function joinSelectedLines(lines: readonly string[], used: ReadonlySet<number>): string {
  const order = [...used].sort((a, b) => a - b);
  const parts = order.flatMap((at, nth) => {
    const gap = nth > 0 && (order[nth - 1] ?? 0) < at - 1;
    return gap ? [CUT, lines[at] ?? ""] : [lines[at] ?? ""];
  });
  return parts.join("\n").trim();
}
