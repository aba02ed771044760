import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** With all above it. On a disk that can only be read Node says that something is not there: the system is asked again. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode });
  } catch (error) {
    let highest = path;
    while (!existsSync(dirname(highest))) highest = dirname(highest);
    // One folder at a time it says what is really wrong.
    if (!existsSync(highest)) await mkdir(highest, { mode });
    throw error;
  }
}
