import { type Id, type Item, type Roadmap, sameId } from "./roadmap.ts";

export type Selection =
  | { readonly kind: "item"; readonly item: Item }
  | { readonly kind: "complete" }
  | { readonly kind: "stalled"; readonly reasons: readonly string[] };

/** By item: the run that is working on it at this moment. */
export type ItemsInWork = ReadonlyMap<string, string>;

/**
 * @rule R-02 (policy) One item at a time is taken: ready, lowest priority first, then lowest id, and only when all it
 *   depends on is done.
 * @rule R-23 (policy) A roadmap is complete when every item is done; when nothing can be taken and something is open it
 *   is stalled, with reasons.
 * @rule R-44 (policy) An item that a vanished run left in progress is offered again with a note; a live or resumed run
 *   keeps its own.
 */
export function select({ items }: Pick<Roadmap, "items">, held: ItemsInWork = new Map()): Selection {
  const isDone = (id: Id) => items.some((item) => sameId(item.id, id) && item.status === "done");
  const [item] = items
    .filter(({ id, status }) => status === "ready" || (status === "in_progress" && !held.has(String(id))))
    .filter((each) => each.dependencies.every(isDone))
    .sort((a, b) => a.priority - b.priority || compareIds(a.id, b.id));
  if (item) return { kind: "item", item };
  const open = items.filter((each) => each.status !== "done");
  if (open.length === 0) return { kind: "complete" };
  return { kind: "stalled", reasons: open.map((each) => `${each.id} ${each.title}: ${whyNot(each, isDone, held)}`) };
}

/** Ids compare naturally: 2 before 10, 1.2 before 1.10. */
export function compareIds(a: Id, b: Id): number {
  const parts = (id: Id) => String(id).match(/\d+|\D+/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [x = "", y = ""] = [left[at], right[at]];
    if (x === y) continue;
    const byNumber = Number(x) - Number(y);
    return Number.isNaN(byNumber) || byNumber === 0 ? (x < y ? -1 : 1) : byNumber;
  }
  return 0;
}

function whyNot(item: Item, isDone: (id: Id) => boolean, held: ItemsInWork): string {
  const missing = item.dependencies.filter((id) => !isDone(id));
  if (missing.length > 0) return `waits for ${missing.join(", ")}`;
  const run = held.get(String(item.id));
  return run === undefined ? item.status : `${item.status} in run ${run}`;
}

/** What comes next, in the words of the report. */
export function candidateOf(roadmap: Pick<Roadmap, "items">, held: ItemsInWork): string {
  const next = select(roadmap, held);
  if (next.kind === "item") return `${next.item.id} ${next.item.title}`;
  return next.kind === "complete" ? "COMPLETE" : "STALLED";
}
