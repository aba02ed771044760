import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "./containment.ts";
import { type OutsideFile, readOutside } from "./outside-file.ts";

/** No manifest and no settings that people write are larger. */
export const MOST_OF_TEXT = 16 * 1024 * 1024;

/**
 * A file of a checkout, by its path from the top: whoever made the repository can have put anything there. A link is
 * followed as long as it stays in the checkout.
 */
export function readInCheckout(top: string, path: string, mostBytes = MOST_OF_TEXT): OutsideFile {
  return readWhere(join(top, path), mostBytes, (real) => isWithin(real, realpathSync(top)));
}

/** A file that may lie behind a link to anywhere. */
export function readThroughLinks(file: string, mostBytes = MOST_OF_TEXT): OutsideFile {
  return readWhere(file, mostBytes, () => true);
}

function readWhere(file: string, mostBytes: number, mayBe: (real: string) => boolean): OutsideFile {
  // Without a link there is nothing to follow, and what is wrong with it is told better by who reads it.
  const real = realOf(file);
  if (real === undefined)
    return isLink(file) ? unread("it is a link that leads nowhere") : readOutside(file, mostBytes);
  return mayBe(real) ? readOutside(real, mostBytes) : unread("it is a link that leads out of the repository");
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

function unread(problem: string): OutsideFile {
  return { ok: false, gone: false, problem };
}
