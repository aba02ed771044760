import { type Id, type Item, isSameId, type Roadmap } from "./roadmap.ts";

export type Selection =
  | { readonly kind: "item"; readonly item: Item }
  | { readonly kind: "complete" }
  | { readonly kind: "stalled"; readonly reasons: readonly string[] };

/** Run that works on the item now, by item. */
export type ItemsInWork = ReadonlyMap<string, string>;

/**
 * @rule R-02 (policy) Each iteration selects exactly one item: `ready`, lowest priority first, then lowest id, with all
 *   dependencies `done`.
 * @rule R-23 (policy) The run reports `COMPLETE` when every item is done; if no item is eligible but some are open, the
 *   roadmap is stalled, with the reasons.
 * @rule R-44 (policy) An `in_progress` item whose run no longer exists is offered again with a note; an item of a live
 *   run is left alone.
 */
export function selectItem({ items }: Pick<Roadmap, "items">, held: ItemsInWork = new Map()): Selection {
  const isDone = (id: Id) => items.some((item) => isSameId(item.id, id) && item.status === "done");
  const [item] = items
    .filter(({ id, status }) => status === "ready" || (status === "in_progress" && !held.has(String(id))))
    .filter((each) => each.dependencies.every(isDone))
    .sort((a, b) => a.priority - b.priority || compareIds(a.id, b.id));
  if (item) return { kind: "item", item };
  const open = items.filter((each) => each.status !== "done");
  if (open.length === 0) return { kind: "complete" };
  return {
    kind: "stalled",
    reasons: open.map((each) => `${each.id} ${each.title}: ${explainOpenItem(each, isDone, held)}`),
  };
}

/** Compares ids in natural order: 2 before 10, 1.2 before 1.10. */
export function compareIds(a: Id, b: Id): number {
  const splitId = (id: Id) => String(id).match(/\d+|\D+/g) ?? [];
  const [left, right] = [splitId(a), splitId(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [x = "", y = ""] = [left[at], right[at]];
    if (x === y) continue;
    const byNumber = Number(x) - Number(y);
    return Number.isNaN(byNumber) || byNumber === 0 ? (x < y ? -1 : 1) : byNumber;
  }
  return 0;
}

function explainOpenItem(item: Item, isDone: (id: Id) => boolean, held: ItemsInWork): string {
  const missing = item.dependencies.filter((id) => !isDone(id));
  if (missing.length > 0) return `waits for ${missing.join(", ")}`;
  const run = held.get(String(item.id));
  return run === undefined ? item.status : `${item.status} in run ${run}`;
}

/** The next candidate for the report. */
export function formatCandidate(roadmap: Pick<Roadmap, "items">, held: ItemsInWork): string {
  const next = selectItem(roadmap, held);
  if (next.kind === "item") return `${next.item.id} ${next.item.title}`;
  return next.kind === "complete" ? "COMPLETE" : "STALLED";
}
