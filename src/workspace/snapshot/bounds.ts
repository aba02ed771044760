import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";

const MIB = 1024 * 1024;

/** No file of a snapshot is larger: beyond it git keeps packs instead of single objects. */
export const MOST_OF_FILE = 512 * MIB;
const MOST_IN_ALL = 2048 * MIB;
/** An ignore file is read as one text, and every line of it is a rule. */
export const MOST_OF_RULES = MIB;
/** No path is longer; git goes one call deeper for every part of a rule, and dies of too many. */
const MOST_OF_RULE = 4096;
const MOST_FILES = 200_000;
/** How many are looked at together. */
const LOOKERS = 64;

/** Refuses what git would work on for hours, before it sees it: a sparse file costs who makes it nothing. */
export async function needsBounds(dir: string, paths: readonly string[]): Promise<void> {
  if (paths.length > MOST_FILES) throw tooMany(paths.length);
  let sum = 0;
  for (let at = 0; at < paths.length; at += LOOKERS) {
    for (const { path, size } of await Promise.all(paths.slice(at, at + LOOKERS).map((path) => sizeOf(dir, path)))) {
      const most = /(^|\/)\.gitignore$/.test(path) ? MOST_OF_RULES : MOST_OF_FILE;
      if (size > most) throw tooLarge(`${path} is ${text(size)}; a snapshot takes ${kindOf(most)} up to ${text(most)}`);
      sum += size;
    }
  }
  if (sum > MOST_IN_ALL)
    throw tooLarge(`changed files of ${text(sum)} together; a snapshot takes ${text(MOST_IN_ALL)}`);
}

/** Rules that git would only crash over. */
export function needsShortRules(path: string, rules: string): void {
  const at = rules.split("\n").findIndex((rule) => rule.length > MOST_OF_RULE);
  if (at < 0) return;
  throw tooLarge(`line ${at + 1} of ${path} is longer than ${MOST_OF_RULE} characters; no rule that ignores files is`);
}

/** The names alone, as git lists them; `cut`: there are more than anybody wanted to read. */
export function needsFewer(count: number, cut: boolean): void {
  if (cut) throw tooLarge(`more new files than a snapshot takes, which is up to ${MOST_FILES}`);
  if (count > MOST_FILES) throw tooMany(count);
}

/** Enough for as many names as are taken, also where they are long. */
export const MOST_OF_NAMES = 256 * MIB;

async function sizeOf(dir: string, path: string): Promise<{ path: string; size: number }> {
  const found = await lstat(join(dir, path)).catch(() => undefined);
  return { path, size: found?.isFile() ? found.size : 0 };
}

function kindOf(most: number): string {
  return most === MOST_OF_RULES ? "ignore files" : "files";
}

function tooLarge(what: string): SignalboxError {
  return new SignalboxError("FILES_TOO_LARGE", `not taken: ${what}`, CURE);
}

function tooMany(count: number): SignalboxError {
  return tooLarge(`${count} new files; a snapshot takes up to ${MOST_FILES}`);
}

const CURE = "Leave it out, or add it to .gitignore.";

function text(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const amount = bytes / 1024 ** power;
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${units[power]}`;
}
