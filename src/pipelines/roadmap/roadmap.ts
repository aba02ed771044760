import { z } from "zod";
import type { Json } from "../../core/json.ts";

const Id = z.union([z.string().min(1), z.number()]);
const Lines = z.array(z.string());

const PlanningResearch = z.object({
  patterns: Lines,
  constraints: Lines,
  risks: Lines,
  fileLocations: Lines,
  openDecisions: Lines,
});

export const Item = z.object({
  id: Id,
  title: z.string().min(1),
  priority: z.number(),
  complexity: z.enum(["simple", "medium", "complex"]),
  status: z.enum(["ready", "in_progress", "blocked", "done"]),
  dependencies: z.array(Id),
  acceptanceCriteria: Lines.min(1),
  verification: Lines,
  planningResearch: PlanningResearch.nullable(),
});
export type Item = z.infer<typeof Item>;
export type Learning = { readonly itemId: string | number; readonly learning: string };

type Fields = { readonly [key: string]: Json | undefined };

/** The file as it was read, and the items in it; `raw` keeps what we do not know. */
export type Roadmap = {
  readonly raw: Json;
  readonly items: readonly Item[];
  readonly learnings: readonly Learning[];
};

export type Read =
  | { readonly ok: true; readonly roadmap: Roadmap }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Every error of the file at once, each with item, field and expected form. */
export function readRoadmap(text: string): Read {
  const raw = parse(text);
  if (raw === undefined) return { ok: false, errors: ["the file is not JSON"] };
  const list = rawItems(raw);
  if (!list) return { ok: false, errors: ["items: expected an array, or an object with the field `items`"] };
  const errors: string[] = [];
  const items = list.flatMap((each, index) => {
    const parsed = Item.safeParse(each);
    if (parsed.success) return [parsed.data];
    errors.push(
      ...parsed.error.issues.map((issue) => `${nameOf(each, index)}: ${issue.path.join(".")}: ${issue.message}`),
    );
    return [];
  });
  errors.push(...(errors.length > 0 ? [] : dependencyErrors(items)));
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, roadmap: { raw, items, learnings: learningsOf(raw) } };
}

export type Selection =
  | { readonly kind: "item"; readonly item: Item }
  | { readonly kind: "complete" }
  | { readonly kind: "stalled"; readonly reasons: readonly string[] };

/** The next item by priority, then id. One that an earlier run left in progress is offered again. */
export function select({ items }: Pick<Roadmap, "items">): Selection {
  const isDone = (id: string | number) => items.some((item) => same(item.id, id) && item.status === "done");
  const [item] = items
    .filter(({ status }) => status === "ready" || status === "in_progress")
    .filter((each) => each.dependencies.every(isDone))
    .sort((a, b) => a.priority - b.priority || compareIds(a.id, b.id));
  if (item) return { kind: "item", item };
  const open = items.filter((each) => each.status !== "done");
  if (open.length === 0) return { kind: "complete" };
  const reasons = open.map((each) => {
    const missing = each.dependencies.filter((id) => !isDone(id));
    return `${each.id} ${each.title}: ${missing.length > 0 ? `waits for ${missing.join(", ")}` : each.status}`;
  });
  return { kind: "stalled", reasons };
}

/** Ids compare naturally: 2 before 10, 1.2 before 1.10. */
export function compareIds(a: string | number, b: string | number): number {
  const parts = (id: string | number) => String(id).match(/\d+|\D+/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [x = "", y = ""] = [left[at], right[at]];
    if (x === y) continue;
    const byNumber = Number(x) - Number(y);
    return Number.isNaN(byNumber) || byNumber === 0 ? (x < y ? -1 : 1) : byNumber;
  }
  return 0;
}

export type Mark = {
  readonly id: string | number;
  readonly status: "in_progress" | "done" | "blocked";
  readonly block?: { readonly [key: string]: string };
  readonly learnings?: readonly string[];
};

/** The file with one item moved on. Nothing else of it changes, known or unknown. */
export function mark(roadmap: Roadmap, { id, status, block = {}, learnings = [] }: Mark): Roadmap {
  const move = (each: Json): Json => {
    if (!isFields(each)) return each;
    const { id: ours } = each;
    if (!same(ours, id)) return each;
    const kept = Object.entries(each).filter(([key]) => !BLOCKED_FIELDS.has(key));
    return { ...Object.fromEntries(kept), status, ...block };
  };
  const items = (rawItems(roadmap.raw) ?? []).map(move);
  const added = learnings.map((learning) => ({ itemId: id, learning }));
  const all = [...roadmap.learnings, ...added];
  const raw = isFields(roadmap.raw) ? { ...roadmap.raw, items, ...(added.length > 0 && { learnings: all }) } : items;
  return {
    raw,
    learnings: all,
    items: roadmap.items.map((item) => (same(item.id, id) ? { ...item, status } : item)),
  };
}

export const render = (roadmap: Roadmap): string => `${JSON.stringify(roadmap.raw, null, 2)}\n`;

export const same = (a: unknown, b: unknown): boolean => String(a) === String(b);

const BLOCKED_FIELDS = new Set(["blockedReason", "blockedBy", "blockedAt", "blockedCategory"]);

function parse(text: string): Json | undefined {
  try {
    // JSON.parse can only give JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rawItems(raw: Json): readonly Json[] | undefined {
  const { items = null } = isFields(raw) ? raw : { items: raw };

  // Array.isArray does not narrow a readonly array type by itself.
  return Array.isArray(items) ? (items as readonly Json[]) : undefined;
}

function learningsOf(raw: Json): readonly Learning[] {
  const parsed = z.object({ learnings: z.array(z.object({ itemId: Id, learning: z.string() })) }).safeParse(raw);
  return parsed.success ? parsed.data.learnings : [];
}

function nameOf(item: Json, index: number): string {
  const place = `at place ${index + 1}`;
  if (!isFields(item)) return `item ${place}`;
  const { id = place, title = "" } = item;
  return `item ${String(id)} "${String(title)}"`;
}

function dependencyErrors(items: readonly Item[]): string[] {
  const known = new Set(items.map((item) => String(item.id)));
  const twice = items.filter((item, at) => items.findIndex((other) => same(other.id, item.id)) !== at);
  const unknown = items.flatMap((item) =>
    item.dependencies
      .filter((id) => !known.has(String(id)))
      .map((id) => `item ${item.id}: dependencies: no item has the id ${id}`),
  );
  const repeated = twice.map((item) => `item ${item.id} "${item.title}": id: used more than once`);
  if (repeated.length + unknown.length > 0) return [...repeated, ...unknown];
  const ring = cyclic(items);
  return ring.length > 0 ? [`dependencies: the items ${ring.join(", ")} wait for each other`] : [];
}

function cyclic(items: readonly Item[]): readonly (string | number)[] {
  let left = [...items];
  for (;;) {
    const free = left.filter((item) => !item.dependencies.some((id) => left.some((other) => same(other.id, id))));
    if (free.length === 0) return left.map((item) => item.id);
    left = left.filter((item) => !free.includes(item));
  }
}
