import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Mutants } from "./break.ts";

/** Files in this folder without breaks. */
const OTHERS: ReadonlySet<string> = new Set(["all.ts", "break.ts", "try.ts"]);

export async function allMutants(): Promise<Mutants> {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".ts") && !OTHERS.has(name));
  // Every file in this folder exports its breaks.
  const parts = await Promise.all(
    files.map(async (name) => (await import(join(import.meta.dirname, name))) as { mutants: Mutants }),
  );
  return Object.assign({}, ...parts.map(({ mutants }) => mutants));
}
