import type { PageChange, PageRow, RunPage } from "./page.ts";

/** The page after a change: rows are replaced where they stand, and new ones come behind. */
export function mergeChange(page: RunPage | undefined, change: PageChange): RunPage {
  if (!page) return change.page;
  const rows = new Map<string, PageRow>(page.rows.map((row) => [row.id, row]));
  for (const row of change.page.rows) rows.set(row.id, row);
  return { ...change.page, rows: [...rows.values()] };
}
