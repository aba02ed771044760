import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RangeChange } from "../read/commit-range.ts";

/** Reads a blob as git would write it to this path. */
type ReadBlob = (change: { readonly path: string; readonly id: string }) => Promise<Buffer>;

/**
 * Lists files that contain only the beginning of their new content, because git was interrupted while writing. The new
 * commit contains all of it, so they can be overwritten.
 */
export async function listHalfWritten(
  top: string,
  changes: readonly RangeChange[],
  readBlob: ReadBlob,
): Promise<readonly string[]> {
  const halves: string[] = [];
  for (const { path, is } of changes) {
    if (!is?.mode.startsWith("100") || !(await lstat(join(top, path))).isFile()) continue;
    const [there, whole] = [await readFile(join(top, path)), await readBlob({ path, id: is.id })];
    if (there.length < whole.length && whole.subarray(0, there.length).equals(there)) halves.push(path);
  }
  return halves;
}
