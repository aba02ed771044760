import { randomUUID } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { SetupOrder } from "../../core/ports/workspace.ts";
import { WARM, writeNote } from "../attempt/attempt-note.ts";
import { discard } from "../attempt/discard.ts";
import type { GitStore } from "../repository/git-store.ts";
import type { IndexEntry } from "./index-file.ts";
import { moveUnchanged } from "./move-unchanged.ts";
import {
  type FolderStamps,
  formatStamp,
  stampFolders,
  statPath,
  toFileStat,
  visitInBatches,
  waitForClockTick,
} from "./stamps.ts";

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
export async function stampSetup(store: GitStore, dir: string, order: SetupOrder): Promise<CarriedSetup | undefined> {
  // A nested folder could not be moved without folders of the tree.
  if (order.made.some((path) => path.includes("/"))) return undefined;
  const entries: IndexEntry[] = [];
  await visitInBatches(order.entries, ({ path, kind }) => {
    const there = statPath(join(dir, path));
    if (there) entries.push({ path, kind, seen: toFileStat(there) });
  });
  const folders = await stampFolders(dir, entries);
  const isTold = entries.length === order.entries.length && (await waitForClockTick(join(store.dir, "scratch")));
  return isTold ? { order, entries, folders } : undefined;
}

/** Removes the set-up from a folder that is no longer used: moves unchanged files and copies the rest again. */
export async function takeOutSetup(
  store: GitStore,
  dir: string,
  setup: CarriedSetup,
): Promise<CarriedSetup | undefined> {
  const { order, entries, folders } = setup;
  const waits = join(store.attempts, `warm-${randomUUID()}`);
  await writeNote(store, { dir: waits, name: WARM });
  try {
    await mkdir(waits, { mode: 0o700 });
    const missing = await moveUnchanged({ from: setup.waits ?? dir, to: waits, entries, folders });
    const isWhole = missing.length === 0 || (await order.copy(waits, new Set(missing)));
    const now = isWhole ? await stampSetup(store, waits, order) : undefined;
    if (setup.waits) await discard(store, setup.waits);
    if (now) return { ...now, waits };
  } catch {
    // The next one gets a new copy.
  }
  await discard(store, waits);
  return undefined;
}

/** Moves its top folders by a rename, which changes only their own stamps. */
export async function placeCarriedSetup(
  store: GitStore,
  dir: string,
  setup: CarriedSetup,
): Promise<CarriedSetup | undefined> {
  const { waits, ...rest } = setup;
  if (waits === undefined) return undefined;
  for (const path of setup.order.made) await rename(join(waits, path), join(dir, path));
  await discard(store, waits);
  const tops = setup.order.made.flatMap((path) => {
    const there = statPath(join(dir, path));
    return there?.isDirectory() ? [[path, formatStamp(there)] as const] : [];
  });
  const folders = new Map([...setup.folders, ...tops]);
  return (await waitForClockTick(join(store.dir, "scratch"))) ? { ...rest, folders } : undefined;
}
