import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "../../src/processes/sandbox/sandbox.ts";
import { type CellOrder, playCell } from "./cell.ts";
import { MISBEHAVIORS } from "./list.ts";
import { COLUMNS, NONE, verdictFor } from "./misbehavior.ts";
import { openScene } from "./scene.ts";

// Runs one column in its own process, so that its memory is that of an engine. Prints one line of JSON for every cell,
// and one for the process.
//   node test/misbehaving/column.ts COLUMN [ID …]

const AT_ONCE = 6;

const [name, ...only] = process.argv.slice(2);
const column = COLUMNS.find((each) => each === name);
if (!column) throw new Error(`name one of ${COLUMNS.join(", ")}`);

const dir = mkdtempSync(join(tmpdir(), "signalbox-misbehaving-"));
try {
  const scene = await openScene(dir);
  const sandbox = await findSandbox();
  const places = sandbox.confines.files ? [false, true] : [false];
  const list = MISBEHAVIORS.filter(({ id }) => only.length === 0 || only.includes(id)).flatMap((misbehavior) =>
    places
      .filter((walled) => verdictFor(misbehavior, { column, walled }) !== NONE)
      .map((walled): CellOrder => ({ scene, column, misbehavior, ...(walled ? { sandbox } : {}) })),
  );
  // A flood keeps a processor busy, so floods run one at a time after the others.
  const isFlood = ({ misbehavior }: CellOrder) => misbehavior.limit === "output";
  await playAll(
    list.filter((each) => !isFlood(each)),
    AT_ONCE,
  );
  await playAll(list.filter(isFlood), 1);
  print({ column, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1000), sandbox: sandbox.summary });
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function playAll(orders: readonly CellOrder[], atOnce: number): Promise<void> {
  const waiting = [...orders];
  const runQueue = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) print(await playCell(next));
  };
  await Promise.all(Array.from({ length: atOnce }, runQueue));
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
