import { chmod, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Well below the path limit, so that every name still fits after it. */
const LONG = 3000;

/**
 * Removes a folder that others have filled: at any depth, even beyond the path limit, and where read permission was
 * removed. Links are removed and never followed.
 */
export async function removeFolder(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch {
    await makeRemovable(dir);
    await rm(dir, { recursive: true, force: true });
  }
}

/** Makes every folder below readable, and moves those that are too deep directly under the top. */
async function makeRemovable(dir: string): Promise<void> {
  let moved = 0;
  const folders = [dir];
  // The list grows during iteration.
  for (const each of folders) {
    const folder = each.length > LONG ? join(dir, `.deep-${process.pid}-${moved++}`) : each;
    if (folder !== each) await rename(each, folder);
    await chmod(folder, 0o700);
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(folder, entry.name));
  }
}
