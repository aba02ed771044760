import { z } from "zod";
import { Announcement } from "../../../core/authoring/announcement.ts";
import { problemsOf, show, WHOLE } from "../../../core/contract/problem.ts";
import type { Json } from "../../../core/text/json.ts";
import { REQUEST_KINDS } from "../../work-kind.ts";
import { appendToList, type Path, removeMember, setMember } from "../recording/json-edit.ts";
import { findDependencyErrors } from "./dependencies.ts";

export const Id = z.union([z.string().min(1), z.number()]);
export type Id = z.infer<typeof Id>;
const Lines = z.array(z.string());

/** Findings of planning. Lists may be empty but not null. */
export const PlanningResearch = z.object({
  patterns: Lines,
  constraints: Lines,
  risks: Lines,
  fileLocations: Lines,
  openDecisions: Lines,
});
export type PlanningResearch = z.infer<typeof PlanningResearch>;

/**
 * @rule R-28 (declaration) An item has nine required fields of a fixed form; all errors of a file are listed at once,
 *   and the file stays byte-identical.
 */
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
  /** Set only by the person who keeps the roadmap: a fix or a feature needs a test that is red without it. */
  kind: z.enum(REQUEST_KINDS).optional(),
  /** Behaviour changes that the item declares, with the tests of the old behaviour. */
  announces: z.array(Announcement).optional(),
});
export type Item = z.infer<typeof Item>;

export const Learning = z.object({ itemId: Id, learning: z.string() });
export type Learning = z.infer<typeof Learning>;

/** The file: an object with `items`, or a bare list, which cannot hold learnings. */
export const RoadmapFile = z.union([
  z.array(Item),
  z.object({ items: z.array(Item), learnings: z.array(Learning).optional() }),
]);

export type Roadmap = {
  /** The text as the person wrote it; every change edits this text. */
  readonly text: string;
  readonly bare: boolean;
  readonly items: readonly Item[];
  readonly learnings: readonly Learning[];
};

export type RoadmapReading =
  | { readonly ok: true; readonly roadmap: Roadmap }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Validates the file. Returns all errors, each with item, field, expected form and found value. */
export function parseRoadmap(text: string): RoadmapReading {
  const parsed = parseRoadmapJson(text);
  if ("error" in parsed) return { ok: false, errors: [`expected JSON, found: ${parsed.error}`] };
  const { raw } = parsed;
  const list = Array.isArray(raw) ? raw : getFields(raw)["items"];
  if (!Array.isArray(list)) {
    return {
      ok: false,
      errors: [
        `items: expected a list, or an object with the list \`items\`, found ${show(isJsonObject(raw) ? list : raw)}`,
      ],
    };
  }
  const learnings = z.array(Learning).safeParse(getFields(raw)["learnings"] ?? []);
  const items = list.map((each: Json) => Item.safeParse(each));
  const errors = [
    ...items.flatMap((item, at) => (item.success ? [] : listItemErrors(item.error, { item: list[at], at }))),
    ...findDependencyErrors(list),
    ...(learnings.success ? [] : formatProblems(`learnings`, problemsOf(learnings.error, getFields(raw)["learnings"]))),
  ];
  if (errors.length > 0 || !learnings.success) return { ok: false, errors };
  const good = items.flatMap((item) => (item.success ? [item.data] : []));
  return { ok: true, roadmap: { text, bare: Array.isArray(raw), items: good, learnings: learnings.data } };
}

export type ItemMark = {
  readonly id: Id;
  readonly status: "in_progress" | "done" | "blocked";
  readonly block?: Readonly<Record<string, string>>;
  readonly learnings?: readonly string[];
};

/**
 * @rule R-22 (policy) The engine appends new learnings in the same write as `done` or `blocked`.
 * @rule R-27 (policy) The engine changes only `status` and the `blocked*` fields of the selected item and appends to
 *   `learnings`; every other byte of the file stays unchanged.
 * @rule R-29 (policy) `status` moves only ready → in_progress → done or blocked, each in its own write; the next
 *   `in_progress` removes the `blocked*` fields.
 */
export function markItem(roadmap: Roadmap, { id, status, block = {}, learnings = [] }: ItemMark): Roadmap {
  const at = roadmap.items.findIndex((item) => isSameId(item.id, id));
  const toFieldPath = (field: string): Path => (roadmap.bare ? [at, field] : ["items", at, field]);
  let text = setMember(roadmap.text, toFieldPath("status"), status);
  for (const field of BLOCKED_FIELDS) {
    const value = block[field];
    text = value === undefined ? removeMember(text, toFieldPath(field)) : setMember(text, toFieldPath(field), value);
  }
  const added = learnings.map((learning) => ({ itemId: id, learning }));
  if (added.length > 0 && !roadmap.bare) text = appendToList(text, ["learnings"], added);
  return {
    ...roadmap,
    text,
    learnings: [...roadmap.learnings, ...added],
    items: roadmap.items.map((item, index) => (index === at ? { ...item, status } : item)),
  };
}

/** Compares ids as strings, because people mix numbers and strings. */
export const isSameId = (a: Id, b: Id): boolean => String(a) === String(b);

export const BLOCKED_FIELDS = ["blockedReason", "blockedBy", "blockedAt", "blockedCategory"] as const;

function parseRoadmapJson(text: string): { readonly raw: Json } | { readonly error: string } {
  try {
    // JSON.parse returns only JSON.
    return { raw: JSON.parse(text.replace(/^\uFEFF/, "")) as Json };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function getFields(value: Json): Readonly<Record<string, Json | undefined>> {
  return isJsonObject(value) ? value : {};
}

function isJsonObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listItemErrors(error: z.ZodError, { item, at }: { item: Json | undefined; at: number }): string[] {
  return formatProblems(formatItemName(item ?? null, at), problemsOf(error, item));
}

function formatProblems(what: string, problems: ReturnType<typeof problemsOf>): string[] {
  return problems.map(({ field, expected, found }) => {
    const toFieldPath = field === WHOLE ? what : `${what}: ${field}`;
    // Null is valid here, but the schema's message omits it.
    const form = field === "planningResearch" ? `null or ${expected}` : expected;
    return `${toFieldPath}: expected ${form}, found ${found}`;
  });
}

/** Names an item by id and title, or by its position if it has no valid id. */
function formatItemName(item: Json, at: number): string {
  const { id = `at position ${at + 1}`, title } = getFields(item);
  const name = typeof id === "string" || typeof id === "number" ? id : `at position ${at + 1}`;
  return `item ${name}${typeof title === "string" ? ` "${title}"` : ""}`;
}
