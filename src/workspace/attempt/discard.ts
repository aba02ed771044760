import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { removeFolder } from "../../node/remove-folder.ts";
import { type GitStore, runInBackground } from "../repository/git-store.ts";
import { getNoteFile } from "./attempt-note.ts";

/**
 * Renames the folder away in one step, so that no process uses a half-removed one or waits for the removal. Leftovers
 * of a dead process are in the trash, and the next process or `gc` removes them.
 */
export async function discard(store: GitStore, dir: string): Promise<void> {
  await moveToTrash(store, dir);
  await removeRecords(store, dir);
}

export async function moveToTrash(store: GitStore, dir: string): Promise<void> {
  const gone = join(store.trash, randomUUID());
  if (await moveIfPresent(dir, gone)) runInBackground(store, removeFolder(gone)).catch(() => undefined);
}

/** Removes the records of a folder that no longer exists. */
export async function removeRecords(store: GitStore, dir: string): Promise<void> {
  const scratch = join(store.dir, "scratch");
  const own = (await readdir(scratch)).filter((name) => isRecordOf(name, basename(dir)));
  await Promise.all(own.map((name) => rm(join(scratch, name), { force: true })));
  await rm(getNoteFile(store, dir), { force: true });
}

/** Returns false if it is gone or another process was faster. */
export async function moveIfPresent(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

const sweptStores = new WeakSet<GitStore>();

/** Removes what earlier processes left in the trash. Runs only when work starts, not for read-only commands. */
export function sweepTrashOnce(store: GitStore): void {
  if (sweptStores.has(store)) return;
  sweptStores.add(store);
  runInBackground(store, sweepTrash(store)).catch(() => undefined);
}

async function sweepTrash(store: GitStore): Promise<void> {
  for (const name of await readdir(store.trash)) await removeFolder(join(store.trash, name)).catch(() => undefined);
}

function isRecordOf(name: string, attempt: string): boolean {
  return name.startsWith(`${attempt}.`) && /^(?:[0-9a-f]+\.index|folders$)/.test(name.slice(attempt.length + 1));
}
