import type { End } from "../../core/end.ts";
import type { Verbs } from "../../core/verbs.ts";
import { type Memory, memoryPath, readMemory } from "./memory.ts";
import { type Roadmap, readRoadmap } from "./roadmap.ts";

export type Loaded = { readonly roadmap: Roadmap; readonly hash: string; readonly memory: Memory };

/** The files as they are in the checkout at this moment, with whatever a person has changed in them; or every error. */
export async function load({
  see,
  input,
}: Pick<Verbs<{ file: string }>, "see" | "input">): Promise<Loaded | { readonly errors: readonly string[] }> {
  const { file } = input;
  const seen = await see("file", { path: file });
  if (!seen) return { errors: [`${file}: expected a file with the roadmap's items, found none`] };
  const read = readRoadmap(seen.text);
  const kept = memoryPath(file);
  const recalled = readMemory((await see("file", { path: kept }))?.text);
  if (read.ok && recalled.ok) return { roadmap: read.roadmap, hash: seen.hash, memory: recalled.memory };
  return { errors: [...told(file, read), ...told(kept, recalled)] };
}

/** Nothing was dispatched and nothing written: a person corrects the file and runs again. */
export async function refuse({ note }: Pick<Verbs<unknown>, "note">, errors: readonly string[]): Promise<End> {
  await note(Object.fromEntries(errors.map((error, at) => [`error ${at + 1}`, error])));
  return { status: "blocked", reason: errors.join("; "), report: { result: "INVALID", errors: [...errors] } };
}

function told(file: string, read: { readonly ok: boolean; readonly errors?: readonly string[] }): string[] {
  return read.ok ? [] : (read.errors ?? []).map((error) => `${file}: ${error}`);
}
