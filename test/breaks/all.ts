import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Breaks } from "./break.ts";

/** Files here that hold no breaks. */
const OTHERS: ReadonlySet<string> = new Set(["all.ts", "break.ts", "try.ts"]);

export async function allBreaks(): Promise<Breaks> {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".ts") && !OTHERS.has(name));
  // Each of these files exports its breaks; that is what the folder is for.
  const parts = await Promise.all(
    files.map(async (name) => (await import(join(import.meta.dirname, name))) as { breaks: Breaks }),
  );
  return Object.assign({}, ...parts.map(({ breaks }) => breaks));
}
