import { writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { MISBEHAVIORS } from "./list.ts";
import { verdictFor } from "./misbehavior.ts";
import { pageOf } from "./page.ts";
import { playColumns } from "./play.ts";

// Runs every cell and writes bench/results/misbehaving-agents.md.
//   MISBEHAVE_FLOOD_MB=4000 node test/misbehaving/main.ts   runs bigger floods and does not write the page

const PAGE = join(import.meta.dirname, "..", "..", "bench", "results", "misbehaving-agents.md");

const columns = await Promise.all(playColumns().values());
const cells = columns.flatMap((column) => column.cells);
for (const { peak } of columns) console.log(`${peak.column}: ${peak.peakMegabytes} MB, ${peak.sandbox}`);
const wrong = cells.filter((cell) => {
  const misbehavior = MISBEHAVIORS.find(({ id }) => id === cell.id);
  return misbehavior && verdictFor(misbehavior, cell) !== cell.verdict;
});
for (const { column, id, verdict, message } of wrong) console.log(`✗ ${column} ${id}: ${verdict} ${message}`);
console.log(`${cells.length - wrong.length} of ${cells.length} cells as expected`);

const date = new Date().toISOString().slice(0, 10);
const load = Math.round(loadavg()[1] ?? 0);
const machine = `Measured ${date}, Node ${process.version}, ${availableParallelism()} cores, a load of ${load} with everything else that ran there.`;
if (process.env["MISBEHAVE_FLOOD_MB"] === undefined) {
  writeFileSync(PAGE, pageOf({ cells, peaks: columns.map(({ peak }) => peak), machine }));
}
if (wrong.length > 0) process.exitCode = 1;
