import { randomUUID } from "node:crypto";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readOutside } from "../../node/outside-file.ts";
import { createOwnerMark, isOwnerGone } from "../attempt/owner.ts";
import type { Repository } from "./repository.ts";

const PATIENCE_MS = 5_000;
const BETWEEN_LOOKS_MS = 20;

/**
 * Locks the user's index with git's own lock file. Our lock names its owner, so that one left by a killed engine can be
 * removed. A lock of git itself has no owner and is never removed.
 */
export async function withIndexLock<T>({ gitDir }: Repository, body: () => Promise<T>): Promise<T> {
  const lock = join(gitDir, "index.lock");
  await takeLock(lock);
  try {
    return await body();
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += BETWEEN_LOOKS_MS) {
    if (await createLock(lock)) return;
    const held = readLock(lock) ?? "";
    if (isOwnerGone(held)) await clearLock(lock, held);
    else await wait(BETWEEN_LOOKS_MS);
  }
  throw new SignalboxError(
    "CHECKOUT_LOCKED",
    `Another program has locked the checkout: ${lock} exists`,
    "Wait for the running git command. If none is running, one was killed: remove that file, then try again.",
  );
}

async function createLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${createOwnerMark()}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Renames the lock away, so that of several processes only one gets it and can check whether it is still the stale one.
 */
async function clearLock(lock: string, dead: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(() => undefined);
  const taken = readLock(aside) ?? dead;
  if (taken !== dead) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}

function readLock(file: string): string | undefined {
  const read = readOutside(file, MOST_OF_LOCK);
  return read.ok ? read.text : undefined;
}

/** Longer than our locks. */
const MOST_OF_LOCK = 4_096;
