import { chmod, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Far below what a path may have, so that every name still fits behind it. */
const LONG = 3000;

/**
 * A folder that others have filled, with all that is in it: at any depth, also where no path reaches, and where the
 * right to look inside was taken away. A link is removed and never followed.
 */
export async function removeFolder(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch {
    await unfold(dir);
    await rm(dir, { recursive: true, force: true });
  }
}

/** Opens every folder below, and moves those that are too deep to be named right under the top. */
async function unfold(dir: string): Promise<void> {
  let moved = 0;
  const folders = [dir];
  // The list grows while it is walked.
  for (const each of folders) {
    const folder = each.length > LONG ? join(dir, `.deep-${process.pid}-${moved++}`) : each;
    if (folder !== each) await rename(each, folder);
    await chmod(folder, 0o700);
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(folder, entry.name));
  }
}
