import type { End } from "../../../core/authoring/end.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { type Memory, storeMemory, withScopes } from "../recording/memory.ts";
import { type LoadedRoadmap, loadRoadmap, refuseRoadmap } from "./load-roadmap.ts";
import { type Item, markItem, type Roadmap } from "./roadmap.ts";
import { type ItemsInWork, selectItem } from "./selection.ts";

export type ItemChoice = {
  readonly item: Item;
  /** The item was left in progress by a run that no longer exists. */
  readonly again: boolean;
  readonly roadmap: Roadmap;
  readonly memory: Memory;
  readonly held: ItemsInWork;
};

/** Reads the roadmap, selects one item and persists `in_progress` before the first dispatch. */
export async function chooseItem(verbs: Verbs<{ file: string }>): Promise<ItemChoice | { readonly end: End }> {
  for (;;) {
    const loaded = await loadRoadmap(verbs);
    if ("errors" in loaded) return { end: await refuseRoadmap(verbs, loaded.errors) };
    const held = await listHeldItems(verbs, loaded.memory);
    const next = selectItem(loaded.roadmap, held);
    if (next.kind === "complete")
      return { end: { status: "done", reason: "COMPLETE", report: { result: "COMPLETE" } } };
    if (next.kind === "stalled") return { end: endStalled(next.reasons) };
    const chosen = await takeUpItem(verbs, { ...loaded, item: next.item });
    // Undefined if the file was edited in between; then it is read again.
    if (chosen) return { ...chosen, held };
  }
}

/** Items that live runs of this roadmap work on. A crashed run is not live, whatever its last status says. */
async function listHeldItems({ see }: Verbs<unknown>, { taken }: Memory): Promise<ItemsInWork> {
  const others = await see("runs");
  const live = new Set(others.filter(({ owned }) => owned).map(({ run }) => run));
  return new Map(Object.entries(taken).filter(([, run]) => live.has(run)));
}

type SelectedItem = LoadedRoadmap & { readonly item: Item };

/** @rule R-04 (code) The engine persists `in_progress` before the first dispatch of the item. */
async function takeUpItem(
  verbs: Verbs<{ file: string }>,
  next: SelectedItem,
): Promise<Omit<ItemChoice, "held"> | undefined> {
  const { input, run, write, note } = verbs;
  const { item, roadmap, hash, memory } = next;
  const again = item.status === "in_progress" && memory.taken[String(item.id)] !== run;
  if (again)
    await note({ again: `item ${item.id} was left in progress by a run that no longer exists; it is offered again` });
  const scoped = withScopes(memory, roadmap.items);
  const known = { ...scoped, taken: { ...memory.taken, [String(item.id)]: run } };
  await storeMemory(verbs, { before: memory, after: known });
  const begun = markItem(roadmap, { id: item.id, status: "in_progress" });
  const { refused } = await write(input.file, begun.text, { to: "checkout", ifHash: hash, undo: roadmap.text });
  return refused === undefined ? { item, again, roadmap: begun, memory: known } : undefined;
}

function endStalled(reasons: readonly string[]): End {
  const reason = `STALLED: ${reasons.join("; ")}`;
  return { status: "stalled", reason, report: { result: "STALLED", reasons: [...reasons] } };
}
