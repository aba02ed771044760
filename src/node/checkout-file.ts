import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "./containment.ts";
import { type OutsideFile, readOutside } from "./outside-file.ts";

/** Larger than any manifest or settings file written by people. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file of a checkout by its path from the top. The content of a repository is untrusted: a link is followed
 * only while it stays inside the checkout.
 */
export function readInCheckout(top: string, path: string, mostBytes = MAX_TEXT_BYTES): OutsideFile {
  return readIfAllowed(join(top, path), mostBytes, (real) => isWithin(real, realpathSync(top)));
}

/** Reads a file that may be a link to any location. */
export function readThroughLinks(file: string, mostBytes = MAX_TEXT_BYTES): OutsideFile {
  return readIfAllowed(file, mostBytes, () => true);
}

function readIfAllowed(file: string, mostBytes: number, mayBe: (real: string) => boolean): OutsideFile {
  // A missing file is reported by `readOutside`, with a better reason.
  const real = resolveRealPath(file);
  if (real === undefined) return isLink(file) ? toFailure("it is a dangling link") : readOutside(file, mostBytes);
  return mayBe(real) ? readOutside(real, mostBytes) : toFailure("it is a link to a file outside the repository");
}

function resolveRealPath(file: string): string | undefined {
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

function toFailure(problem: string): OutsideFile {
  return { ok: false, gone: false, problem };
}
