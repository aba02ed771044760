import { type Id, type Item, type Roadmap, sameId } from "./roadmap.ts";

export type Selection =
  | { readonly kind: "item"; readonly item: Item; readonly again: boolean }
  | { readonly kind: "complete" }
  | { readonly kind: "stalled"; readonly reasons: readonly string[] };

/** The next item: by priority, then by id. One that a run left in progress when it went away is offered again. */
export function select({ items }: Pick<Roadmap, "items">): Selection {
  const isDone = (id: Id) => items.some((item) => sameId(item.id, id) && item.status === "done");
  const [item] = items
    .filter(({ status }) => OFFERED.has(status))
    .filter((each) => each.dependencies.every(isDone))
    .sort((a, b) => a.priority - b.priority || compareIds(a.id, b.id));
  if (item) return { kind: "item", item, again: item.status === "in_progress" };
  const open = items.filter((each) => each.status !== "done");
  if (open.length === 0) return { kind: "complete" };
  return { kind: "stalled", reasons: open.map((each) => reasonOf(each, isDone)) };
}

const OFFERED: ReadonlySet<string> = new Set(["ready", "in_progress"]);

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

function reasonOf(item: Item, isDone: (id: Id) => boolean): string {
  const missing = item.dependencies.filter((id) => !isDone(id));
  return `${item.id} ${item.title}: ${missing.length > 0 ? `waits for ${missing.join(", ")}` : item.status}`;
}

/** What comes next, in the words of the report. */
export function candidateOf(roadmap: Pick<Roadmap, "items">): string {
  const next = select(roadmap);
  if (next.kind === "item") return `${next.item.id} ${next.item.title}`;
  return next.kind === "complete" ? "COMPLETE" : "STALLED";
}
