import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Cell } from "./cell.ts";
import { MISBEHAVIORS } from "./list.ts";
import { COLUMNS, type ColumnName, type Misbehavior } from "./misbehavior.ts";
import type { Peak } from "./page.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const AT_ONCE = 2;

export type Column = {
  readonly column: ColumnName;
  readonly cells: readonly Cell[];
  readonly peak: Peak & { readonly sandbox: string };
};

/** Runs every column in its own process, two at a time; each can be awaited. */
export function playColumns(): ReadonlyMap<ColumnName, Promise<Column>> {
  const slots: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  const played = COLUMNS.map((column, at): [ColumnName, Promise<Column>] => {
    const before = slots[at % AT_ONCE] ?? Promise.resolve();
    const result = before.then(() => playColumn(column));
    slots[at % AT_ONCE] = result.catch(() => undefined);
    return [column, result];
  });
  return new Map(played);
}

/** Floods run separately, so that their memory is measured alone. */
async function playColumn(column: ColumnName): Promise<Column> {
  const floods = MISBEHAVIORS.filter(({ limit }) => limit === "output");
  const others = MISBEHAVIORS.filter((each) => !floods.includes(each));
  const first = await playPart(column, others);
  const { cells, peak } = await playPart(column, floods);
  const peakMegabytes = Math.max(peak.peakMegabytes, first.peak.peakMegabytes);
  return { column, cells: [...first.cells, ...cells], peak: { ...peak, peakMegabytes } };
}

async function playPart(column: ColumnName, list: readonly Misbehavior[]): Promise<Omit<Column, "column">> {
  const ids = list.map(({ id }) => id);
  const child = spawn(process.execPath, [join(import.meta.dirname, "column.ts"), column, ...ids], {
    // Runs the program as installed: stripping types from sources at every start costs memory that users do not spend.
    env: { ...process.env, NODE_COMPILE_CACHE: join(ROOT, "node_modules", ".cache", "signalbox") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const complaint = readText(child);
  const cells: Cell[] = [];
  let peak: Column["peak"] | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    // column.ts is the only writer.
    const told = JSON.parse(line) as Cell | Column["peak"];
    if ("id" in told) cells.push(told);
    else peak = told;
  }
  await ended;
  if (!peak) throw new Error(`the column ${column} broke off: ${await complaint}`);
  return { cells, peak };
}

async function readText({ stderr }: ChildProcess): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of stderr ?? []) pieces.push(String(piece));
  return pieces.join("");
}
