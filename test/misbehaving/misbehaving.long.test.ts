import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MISBEHAVIORS } from "./list.ts";
import { COLUMNS, type ColumnName, type Misbehavior, NONE, verdictFor } from "./misbehavior.ts";
import { pageOf, withoutFigures } from "./page.ts";
import { playColumns } from "./play.ts";

const PATIENCE_MS = 240_000;
const MOST_MEGABYTES = 150;

let columns: ReturnType<typeof playColumns> | undefined;
/** All columns start together with the first test. */
const getColumn = (column: ColumnName) => {
  columns ??= playColumns();
  return columns.get(column);
};

async function getCell(column: ColumnName, { id }: Misbehavior, walled: boolean) {
  const played = await getColumn(column);
  return {
    sandbox: played?.peak.sandbox,
    cell: played?.cells.find((each) => each.id === id && each.walled === walled),
  };
}

describe.each(COLUMNS)("%s", (column) => {
  const open = MISBEHAVIORS.filter((each) => verdictFor(each, { column, walled: false }) !== NONE);
  const walled = MISBEHAVIORS.filter((each) => verdictFor(each, { column, walled: true }) !== NONE);

  test.each(open)("an agent that $does", { timeout: PATIENCE_MS }, async (misbehavior) => {
    const { cell } = await getCell(column, misbehavior, false);
    const verdict = verdictFor(misbehavior, { column, walled: false });
    expect(cell).toMatchObject({
      verdict,
      carriers: 0,
      leaked: false,
      // An exhausted usage window is the only one of these failures worth a later retry.
      wakes: verdict === "deterministic quota",
    });
    // Some processes can escape the sweep without a sandbox, depending on timing.
    expect(cell?.survivors).toBeLessThanOrEqual(misbehavior.lost ?? 0);
  });

  test.for(walled)("in the sandbox, an agent that $does", { timeout: PATIENCE_MS }, async (misbehavior, context) => {
    const { cell, sandbox } = await getCell(column, misbehavior, true);
    context.skip(sandbox !== "sandbox: bubblewrap", `this system confines no files (${sandbox})`);
    const verdict = verdictFor(misbehavior, { column, walled: true });
    expect(cell).toMatchObject({ verdict, carriers: 0, survivors: 0, leaked: false, reached: false });
  });

  test("the engine stays small", { timeout: PATIENCE_MS }, async () => {
    const played = await getColumn(column);
    expect(played?.peak.peakMegabytes).toBeLessThan(MOST_MEGABYTES);
    expect(Math.max(...(played?.cells.map((cell) => cell.clientMegabytes) ?? []))).toBeLessThan(MOST_MEGABYTES);
  });
});

test("bench/results/misbehaving-agents.md shows the expected result of each", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "bench", "results", "misbehaving-agents.md"), "utf8");
  const measured = { cells: [], peaks: [], machine: "Measured" };
  expect(withoutFigures(page)).toBe(withoutFigures(pageOf(measured)));
});

test("there are more than twenty misbehaviors with unique names", () => {
  expect(new Set(MISBEHAVIORS.map(({ id }) => id)).size).toBe(MISBEHAVIORS.length);
  expect(MISBEHAVIORS.length).toBeGreaterThan(20);
});
