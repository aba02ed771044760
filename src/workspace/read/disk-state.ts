import { lstat } from "node:fs/promises";
import { join } from "node:path";

/** The state of a path in the checkout; `blocked`: one of its parent folders is not a folder. */
export type DiskState = "file" | "gone" | "folder" | "special" | "blocked";

/**
 * Links count as files and are never followed. `leaving` lists files that will be deleted, so a folder may replace
 * them.
 */
export async function readDiskState(top: string, path: string, leaving: ReadonlySet<string>): Promise<DiskState> {
  const parts = path.split("/");
  for (const [at] of parts.slice(1).entries()) {
    const folder = parts.slice(0, at + 1).join("/");
    const found = await lstat(join(top, folder)).catch(() => undefined);
    if (found === undefined) return "gone";
    if (!found.isDirectory()) return leaving.has(folder) ? "gone" : "blocked";
  }
  const found = await lstat(join(top, path)).catch(() => undefined);
  if (found === undefined) return "gone";
  if (found.isDirectory()) return "folder";
  return found.isFile() || found.isSymbolicLink() ? "file" : "special";
}
