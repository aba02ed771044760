import type { End } from "../../../core/authoring/end.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { getMemoryPath, type Memory, readMemory } from "../recording/memory.ts";
import { parseRoadmap, type Roadmap } from "./roadmap.ts";

export type LoadedRoadmap = { readonly roadmap: Roadmap; readonly hash: string; readonly memory: Memory };

/**
 * Reads the roadmap and the memory as they are in the checkout now, including a person's edits, or returns all errors.
 * @rule R-01 (code) The engine loads and validates the roadmap file before every decision; a missing or malformed file
 *   stops the run, and the error names the field, the expected form, the value found and the item.
 */
export async function loadRoadmap({
  see,
  input,
}: Pick<Verbs<{ file: string }>, "see" | "input">): Promise<LoadedRoadmap | { readonly errors: readonly string[] }> {
  const { file } = input;
  const roadmapFile = await see("file", { path: file });
  if (!roadmapFile) return { errors: [`${file}: expected a file with the roadmap's items, found none`] };
  const read = parseRoadmap(roadmapFile.text);
  const memoryFile = getMemoryPath(file);
  const recalled = readMemory((await see("file", { path: memoryFile }))?.text);
  if (read.ok && recalled.ok) return { roadmap: read.roadmap, hash: roadmapFile.hash, memory: recalled.memory };
  return { errors: [...prefixErrors(file, read), ...prefixErrors(memoryFile, recalled)] };
}

/** Ends the run without a dispatch or a write; the person corrects the file and runs again. */
export async function refuseRoadmap(
  { note, input }: Pick<Verbs<{ file: string }>, "note" | "input">,
  errors: readonly string[],
): Promise<End> {
  await note(Object.fromEntries(errors.map((error, at) => [`error ${at + 1}`, error])));
  const named = input.file === "roadmap.json" ? "" : ` --input file=${input.file}`;
  return {
    status: "blocked",
    reason: errors.join("; "),
    report: { result: "INVALID", errors: [...errors] },
    next: ["correct the errors above; nothing was dispatched or written", `signalbox run roadmap${named}`],
  };
}

function prefixErrors(file: string, read: { readonly ok: boolean; readonly errors?: readonly string[] }): string[] {
  return read.ok ? [] : (read.errors ?? []).map((error) => `${file}: ${error}`);
}
