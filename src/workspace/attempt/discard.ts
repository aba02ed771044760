import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { removeFolder } from "../../node/remove-folder.ts";
import { inBackground, type Store } from "../repository/store.ts";
import { noteFile } from "./attempt-note.ts";

/**
 * In one step out of the way, so that nobody takes over what is half gone and nobody waits for it. What a process that
 * ended has left of it lies where everything may go; the next one and `gc` go on with it.
 */
export async function discard(store: Store, dir: string): Promise<void> {
  await throwAway(store, dir);
  await forget(store, dir);
}

export async function throwAway(store: Store, dir: string): Promise<void> {
  const gone = join(store.trash, randomUUID());
  if (await moved(dir, gone)) inBackground(store, removeFolder(gone)).catch(() => undefined);
}

/** What is known of a folder, once it is not there any more. */
export async function forget(store: Store, dir: string): Promise<void> {
  const scratch = join(store.dir, "scratch");
  const own = (await readdir(scratch)).filter((name) => isAbout(name, basename(dir)));
  await Promise.all(own.map((name) => rm(join(scratch, name), { force: true })));
  await rm(noteFile(store, dir), { force: true });
}

/** False where it is gone, or somebody else was quicker. */
export async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

const swept = new WeakSet<Store>();

/** What processes before this one had begun to remove; only once work is begun, not by everybody who looks. */
export function sweepOnce(store: Store): void {
  if (swept.has(store)) return;
  swept.add(store);
  inBackground(store, sweepTrash(store)).catch(() => undefined);
}

async function sweepTrash(store: Store): Promise<void> {
  for (const name of await readdir(store.trash)) await removeFolder(join(store.trash, name)).catch(() => undefined);
}

function isAbout(name: string, attempt: string): boolean {
  return name.startsWith(`${attempt}.`) && /^(?:[0-9a-f]+\.index|folders$)/.test(name.slice(attempt.length + 1));
}
