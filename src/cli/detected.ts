import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Detected, detectCommands, FILES_ASKED } from "../core/evidence/detect-commands.ts";

/** The checks that the files at the top of a checkout declare. */
export async function detectedIn(top: string): Promise<Detected> {
  const names = await readdir(top);
  const asked = FILES_ASKED.filter((name) => names.includes(name));
  const texts = await Promise.all(
    asked.map(async (name) => [name, await readFile(join(top, name), "utf8").catch(() => "")] as const),
  );
  return detectCommands(new Map(texts), names);
}
