import type { End } from "../../core/end.ts";
import type { Verbs } from "../../core/verbs.ts";
import { load, refusal } from "./load.ts";
import { type Memory, memoryPath, readMemory, remember, withScopes } from "./memory.ts";
import { type Item, mark, type Roadmap } from "./roadmap.ts";
import { select } from "./selection.ts";

export type Chosen = {
  readonly item: Item;
  readonly again: boolean;
  readonly roadmap: Roadmap;
  readonly memory: Memory;
};

/** Reads the file, picks the one item of this iteration and writes `in_progress` before anybody is dispatched for it. */
export async function choose(verbs: Verbs<{ file: string }>): Promise<Chosen | { readonly end: End }> {
  const { input, see, write, note } = verbs;
  const loaded = await load(verbs);
  if (!loaded.ok) return { end: refusal(input.file, loaded.errors) };
  const { roadmap, hash } = loaded;
  const kept = memoryPath(input.file);
  const recalled = readMemory((await see("file", { path: kept }))?.text);
  if (!recalled.ok) return { end: refusal(kept, recalled.errors) };
  const known = withScopes(recalled.memory, roadmap.items);
  const memory = await remember(verbs, { before: recalled.memory, after: known });

  const next = select(roadmap);
  if (next.kind === "complete") return { end: { status: "done", reason: "COMPLETE", report: { result: "COMPLETE" } } };
  if (next.kind === "stalled") {
    const report = { result: "STALLED", reasons: [...next.reasons] };
    return { end: { status: "stalled", reason: `STALLED: ${next.reasons.join("; ")}`, report } };
  }
  const { item, again } = next;
  if (again) await note({ again: `item ${item.id} was left in progress by a run that is gone: it is offered again` });
  const begun = mark(roadmap, { id: item.id, status: "in_progress" });
  await write(input.file, begun.text, { to: "checkout", ifHash: hash });
  return { item, again, roadmap: begun, memory };
}
