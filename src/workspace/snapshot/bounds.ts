import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";

const MIB = 1024 * 1024;

/** Maximum size of a file in a snapshot; above it git writes packs instead of single objects. */
export const MOST_OF_FILE = 512 * MIB;
const MOST_IN_ALL = 2048 * MIB;
/** An ignore file is read as one text, and each line is a rule. */
export const MOST_OF_RULES = MIB;
/** No path is longer. Git recurses per part of a rule and crashes on too many. */
const MOST_OF_RULE = 4096;
const MOST_FILES = 200_000;
/** Number of files checked concurrently. */
const CONCURRENT_STATS = 64;

/** Refuses content that git would process for hours: a sparse file costs its creator nothing. */
export async function requireBounds(dir: string, paths: readonly string[]): Promise<void> {
  if (paths.length > MOST_FILES) throw createTooManyError(paths.length);
  let sum = 0;
  for (let at = 0; at < paths.length; at += CONCURRENT_STATS) {
    for (const { path, size } of await Promise.all(
      paths.slice(at, at + CONCURRENT_STATS).map((path) => measureFile(dir, path)),
    )) {
      const most = /(^|\/)\.gitignore$/.test(path) ? MOST_OF_RULES : MOST_OF_FILE;
      if (size > most)
        throw createTooLargeError(
          `${path} is ${formatBytes(size)}; a snapshot accepts ${formatKind(most)} up to ${formatBytes(most)}`,
        );
      sum += size;
    }
  }
  if (sum > MOST_IN_ALL)
    throw createTooLargeError(
      `changed files total ${formatBytes(sum)}; a snapshot accepts ${formatBytes(MOST_IN_ALL)}`,
    );
}

/** Refuses rules on which git would crash. */
export function requireShortRules(path: string, rules: string): void {
  const at = rules.split("\n").findIndex((rule) => rule.length > MOST_OF_RULE);
  if (at < 0) return;
  throw createTooLargeError(
    `line ${at + 1} of ${path} is longer than ${MOST_OF_RULE} characters, the limit for an ignore rule`,
  );
}

/** Checks the number of listed names; `cut`: the list was truncated. */
export function requireFewer(count: number, cut: boolean): void {
  if (cut) throw createTooLargeError(`more new files than a snapshot accepts (${MOST_FILES})`);
  if (count > MOST_FILES) throw createTooManyError(count);
}

/** Enough for the maximum number of files with long names. */
export const MOST_OF_NAMES = 256 * MIB;

async function measureFile(dir: string, path: string): Promise<{ path: string; size: number }> {
  const found = await lstat(join(dir, path)).catch(() => undefined);
  return { path, size: found?.isFile() ? found.size : 0 };
}

function formatKind(most: number): string {
  return most === MOST_OF_RULES ? "ignore files" : "files";
}

function createTooLargeError(what: string): SignalboxError {
  return new SignalboxError("FILES_TOO_LARGE", `not taken: ${what}`, FIX_HINT);
}

function createTooManyError(count: number): SignalboxError {
  return createTooLargeError(`${count} new files; a snapshot accepts up to ${MOST_FILES}`);
}

const FIX_HINT = "Leave it out, or add it to .gitignore.";

function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const amount = bytes / 1024 ** power;
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${units[power]}`;
}
