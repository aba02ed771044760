import { randomUUID } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { SetupOrder } from "../../core/ports/workspace.ts";
import { noteAttempt, WARM } from "../attempt/attempt-note.ts";
import { discard } from "../attempt/discard.ts";
import type { Store } from "../repository/store.ts";
import { carryOver } from "./carry-over.ts";
import type { IndexEntry } from "./index-file.ts";
import { clockTicked, eachInTurn, type FolderStamps, folderStamps, lookAt, seenOf, stampOf } from "./stamps.ts";

/** The result of a set-up, placed in a checkout or stored for the next one. */
export type CarriedSetup = {
  readonly order: SetupOrder;
  readonly entries: readonly IndexEntry[];
  readonly folders: FolderStamps;
  /**
   * The folder where it is stored, separate from the tree, because not every attempt uses it. Undefined while it is in
   * a checkout.
   */
  readonly waits?: string;
};

/** Stamps the set-up before anyone works next to it; undefined if later changes could not be detected. */
export async function stampedSetup(store: Store, dir: string, order: SetupOrder): Promise<CarriedSetup | undefined> {
  // A nested folder could not be moved without folders of the tree.
  if (order.made.some((path) => path.includes("/"))) return undefined;
  const entries: IndexEntry[] = [];
  await eachInTurn(order.entries, ({ path, kind }) => {
    const there = lookAt(join(dir, path));
    if (there) entries.push({ path, kind, seen: seenOf(there) });
  });
  const folders = await folderStamps(dir, entries);
  const isTold = entries.length === order.entries.length && (await clockTicked(join(store.dir, "scratch")));
  return isTold ? { order, entries, folders } : undefined;
}

/** Removes the set-up from a folder that is no longer used: moves unchanged files and copies the rest again. */
export async function takenOut(store: Store, dir: string, setup: CarriedSetup): Promise<CarriedSetup | undefined> {
  const { order, entries, folders } = setup;
  const waits = join(store.attempts, `warm-${randomUUID()}`);
  await noteAttempt(store, { dir: waits, name: WARM });
  try {
    await mkdir(waits, { mode: 0o700 });
    const missing = await carryOver({ from: setup.waits ?? dir, to: waits, entries, folders });
    const isWhole = missing.length === 0 || (await order.copy(waits, new Set(missing)));
    const now = isWhole ? await stampedSetup(store, waits, order) : undefined;
    if (setup.waits) await discard(store, setup.waits);
    if (now) return { ...now, waits };
  } catch {
    // The next one gets a new copy.
  }
  await discard(store, waits);
  return undefined;
}

/** Moves its top folders by a rename, which changes only their own stamps. */
export async function laidFrom(store: Store, dir: string, setup: CarriedSetup): Promise<CarriedSetup | undefined> {
  const { waits, ...rest } = setup;
  if (waits === undefined) return undefined;
  for (const path of setup.order.made) await rename(join(waits, path), join(dir, path));
  await discard(store, waits);
  const tops = setup.order.made.flatMap((path) => {
    const there = lookAt(join(dir, path));
    return there?.isDirectory() ? [[path, stampOf(there)] as const] : [];
  });
  const folders = new Map([...setup.folders, ...tops]);
  return (await clockTicked(join(store.dir, "scratch"))) ? { ...rest, folders } : undefined;
}
