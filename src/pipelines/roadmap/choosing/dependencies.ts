import { z } from "zod";
import type { Json } from "../../../core/text/json.ts";

const Id = z.union([z.string(), z.number()]);
/** An item whose other fields may be invalid, because all errors are reported at once. */
const LinkedItem = z.object({
  id: Id,
  title: z.string().catch(""),
  dependencies: z.array(z.unknown()).catch([]),
});
type ItemLink = { readonly id: string; readonly name: string; readonly dependencies: readonly string[] };

/**
 * Reports duplicate ids, unknown ids and cycles.
 * @rule R-03 (policy) Unknown and cyclic dependency ids are validation errors that name the ids.
 */
export function findDependencyErrors(items: readonly Json[]): string[] {
  const links = items.flatMap(parseLink);
  const known = new Set(links.map((link) => link.id));
  const repeated = links.filter((link, at) => links.findIndex((other) => other.id === link.id) !== at);
  const unknown = links.flatMap((link) => link.dependencies.filter((id) => !known.has(id)).map((id) => ({ link, id })));
  return [
    ...repeated.map(({ name }) => `${name}: id: expected a unique id, found one that is used more than once`),
    ...unknown.map(
      ({ link, id }) => `${link.name}: dependencies: expected ids of items, found ${id}, which no item has`,
    ),
    ...findCycles(links).map((ring) => {
      const first = links.find((link) => link.id === ring[0])?.name ?? "";
      return `${first}: dependencies: expected no cycle, found ${[...ring, ring[0]].join(" → ")}`;
    }),
  ];
}

function parseLink(item: Json): ItemLink[] {
  const parsed = LinkedItem.safeParse(item);
  if (!parsed.success) return [];
  const { id, title, dependencies } = parsed.data;
  const ids = dependencies.flatMap((each) => (Id.safeParse(each).success ? [String(each)] : []));
  return [{ id: String(id), name: `item ${id}${title ? ` "${title}"` : ""}`, dependencies: ids }];
}

/** Finds each cycle once. First removes items that only lead into a cycle or only follow from one. */
function findCycles(links: readonly ItemLink[]): string[][] {
  let left = [...links];
  for (;;) {
    const ids = new Set(left.map((link) => link.id));
    const required = new Set(left.flatMap((link) => link.dependencies));
    const remaining = left.filter((link) => required.has(link.id) && link.dependencies.some((id) => ids.has(id)));
    if (remaining.length === left.length) break;
    left = remaining;
  }
  const rings: string[][] = [];
  while (left.length > 0) {
    const ring = findCycle(left);
    rings.push(ring);
    left = left.filter((link) => !ring.includes(link.id));
    left = left.filter((link) => link.dependencies.some((id) => left.some((other) => other.id === id)));
  }
  return rings;
}

/** Every item here depends on another one here, so following the dependencies must return to a visited item. */
function findCycle(left: readonly ItemLink[]): string[] {
  const path: string[] = [];
  let at = left[0];
  while (at && !path.includes(at.id)) {
    path.push(at.id);
    const next: string | undefined = at.dependencies.find((id) => left.some((other) => other.id === id));
    at = left.find((link) => link.id === next);
  }
  return at ? path.slice(path.indexOf(at.id)) : path;
}
