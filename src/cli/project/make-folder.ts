import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder and its parents. On a read-only disk Node reports ENOENT for a recursive mkdir, so a single mkdir is
 * tried to get the real error.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode });
  } catch (error) {
    let highest = path;
    while (!existsSync(dirname(highest))) highest = dirname(highest);
    // Creating a single folder reports the actual cause.
    if (!existsSync(highest)) await mkdir(highest, { mode });
    throw error;
  }
}
