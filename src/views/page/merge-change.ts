import type { PageChange, PageRow, RunPage } from "./page.ts";

/** The page after a change: rows are replaced where they stand, and new ones come behind. */
export function mergeChange(page: RunPage | undefined, change: PageChange): RunPage {
  if (!page) return change.page;
  return { ...change.page, rows: mergeRows(page.rows, change.page.rows) };
}

type Rows = readonly PageRow[];

/** Where each row of the newest list stands: a change of five rows must not cost a look at five thousand. */
const places = new WeakMap<Rows, Map<string, number>>();

function mergeRows(known: Rows, changed: Rows): Rows {
  // The same list, so that nobody computes anew what depends on rows alone.
  if (changed.length === 0) return known;
  const at = places.get(known) ?? new Map(known.map(({ id }, place) => [id, place]));
  const rows = [...known];
  for (const row of changed) {
    const place = at.get(row.id) ?? rows.length;
    rows[place] = row;
    at.set(row.id, place);
  }
  // It speaks of the new list now; whoever goes on from the old one counts again.
  places.delete(known);
  places.set(rows, at);
  return rows;
}
