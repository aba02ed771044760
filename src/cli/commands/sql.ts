import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { resolvePlaces } from "../project/repository.ts";
import { queryRuns } from "../runs/query-runs.ts";
import { resolveTeam } from "../team/team.ts";

const WIDTH = 100;
const NARROWEST = 12;

export async function queryLedger(call: Call, query: string): Promise<number> {
  const places = await resolvePlaces(call.dir);
  const { columns, rows, truncated } = await queryRuns(places, await resolveTeam(call, places), query);
  if (call.json) {
    call.emit({ v: 1, columns, rows, truncated });
    return 0;
  }
  const shown = rows.map((row) => row.map((cell) => toOneLine(cell === null ? "–" : String(cell), 10_000)));
  const widths = fitWidths([columns.map((name) => toOneLine(name)), ...shown], readColumns());
  const cutRow = (row: readonly string[]): string[] => row.map((cell, at) => toOneLine(cell, widths[at] ?? NARROWEST));
  const head = cutRow(columns).map((text) => ({ text, painted: call.paint.dim(text) }));
  for (const line of formatTable([head, ...shown.map((row) => cutRow(row).map((text) => ({ text })))]))
    call.print(line);
  const more = truncated ? "; more rows exist: add a LIMIT or a WHERE, or select fewer columns" : "";
  call.print(call.paint.dim(`${rows.length} ${rows.length === 1 ? "row" : "rows"}${more}`));
  return 0;
}

function readColumns(): number {
  return process.stdout.columns ?? WIDTH;
}

/** Computes column widths: full width if everything fits, otherwise the widest columns are narrowed until it does. */
function fitWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 1, cell.length);
  const gaps = 2 * Math.max(0, widths.length - 1);
  let most = Math.max(...widths);
  while (widths.reduce((sum, each) => sum + Math.min(each, most), gaps) > width && most > NARROWEST) most -= 1;
  return widths.map((each) => Math.min(each, most));
}
