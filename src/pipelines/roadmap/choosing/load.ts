import type { End } from "../../../core/authoring/end.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { type Memory, memoryPath, readMemory } from "../recording/memory.ts";
import { type Roadmap, readRoadmap } from "./roadmap.ts";

export type LoadedRoadmap = { readonly roadmap: Roadmap; readonly hash: string; readonly memory: Memory };

/**
 * The files as they are in the checkout at this moment, with whatever a person has changed in them; or every error.
 * @rule R-01 (code) The roadmap is read from its file at every decision; one that is missing or malformed stops the run
 *   and is told by file, item, field, expected form and what was found.
 */
export async function load({
  see,
  input,
}: Pick<Verbs<{ file: string }>, "see" | "input">): Promise<LoadedRoadmap | { readonly errors: readonly string[] }> {
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
export async function refuse(
  { note, input }: Pick<Verbs<{ file: string }>, "note" | "input">,
  errors: readonly string[],
): Promise<End> {
  await note(Object.fromEntries(errors.map((error, at) => [`error ${at + 1}`, error])));
  const named = input.file === "roadmap.json" ? "" : ` --input file=${input.file}`;
  return {
    status: "blocked",
    reason: errors.join("; "),
    report: { result: "INVALID", errors: [...errors] },
    next: ["mend what is named above; nothing was dispatched and nothing written", `signalbox run roadmap${named}`],
  };
}

function told(file: string, read: { readonly ok: boolean; readonly errors?: readonly string[] }): string[] {
  return read.ok ? [] : (read.errors ?? []).map((error) => `${file}: ${error}`);
}
