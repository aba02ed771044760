import { lstat } from "node:fs/promises";
import { join } from "node:path";

/** What the checkout has at a path; `blocked`: something else is in the place of one of its folders. */
export type OnDisk = "file" | "gone" | "folder" | "special" | "blocked";

/** Links are files here, and never followed. `leaving` are files that go, so a folder may take their place. */
export async function seeOnDisk(top: string, path: string, leaving: ReadonlySet<string>): Promise<OnDisk> {
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
