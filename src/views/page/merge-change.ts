import type { PageChange, PageRow, RunPage } from "./page.ts";

/** Applies a change to a page: changed rows are replaced in place, new rows are appended. */
export function mergeChange(page: RunPage | undefined, change: PageChange): RunPage {
  if (!page) return change.page;
  return { ...change.page, rows: mergeRows(page.rows, change.page.rows) };
}

type Rows = readonly PageRow[];

/** The position of each row in the newest list, so that a change of five rows does not scan five thousand. */
const positions = new WeakMap<Rows, Map<string, number>>();

function mergeRows(known: Rows, changed: Rows): Rows {
  // Returns the same list, so that values derived from rows alone are not recomputed.
  if (changed.length === 0) return known;
  const at = positions.get(known) ?? new Map(known.map(({ id }, place) => [id, place]));
  const rows = [...known];
  for (const row of changed) {
    const place = at.get(row.id) ?? rows.length;
    rows[place] = row;
    at.set(row.id, place);
  }
  // The index now describes the new list. A merge based on the old list builds its own index.
  positions.delete(known);
  positions.set(rows, at);
  return rows;
}
