import { mkdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createMissingFileError } from "../core/failure/machine-failure.ts";

const SIGNALBOX_FOLDER = ".signalbox";

/**
 * Creates a folder below the repository's `.signalbox`, with its parents, but never `.signalbox` itself, which is
 * created when a run starts. If it is missing later, the repository was moved or removed and must not reappear as an
 * empty shell.
 */
export function makeOwnFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (basename(path) === SIGNALBOX_FOLDER) throw createMissingFileError(path);
  if (dirname(path) !== path) makeOwnFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process created it first.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
