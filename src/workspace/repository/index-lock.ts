import { randomUUID } from "node:crypto";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readOutside } from "../../node/outside-file.ts";
import { ownerIsGone, ownerMark } from "../attempt/owner.ts";
import type { Repository } from "./repository.ts";

const PATIENCE_MS = 5_000;
const BETWEEN_LOOKS_MS = 20;

/**
 * Nobody else changes the user's index meanwhile: git takes the same file as its lock. Ours says who holds it, so one
 * that a killed engine left is proven to be nobody's. A lock of git itself says nothing, and is never removed.
 */
export async function withIndexLock<T>({ gitDir }: Repository, body: () => Promise<T>): Promise<T> {
  const lock = join(gitDir, "index.lock");
  await take(lock);
  try {
    return await body();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += BETWEEN_LOOKS_MS) {
    if (await create(lock)) return;
    const held = textOf(lock) ?? "";
    if (ownerIsGone(held)) await clear(lock, held);
    else await wait(BETWEEN_LOOKS_MS);
  }
  throw new SignalboxError(
    "CHECKOUT_LOCKED",
    `The checkout is locked by another program: ${lock} exists`,
    "Wait until no git command runs here; if none does, one was killed: remove that file, then try again.",
  );
}

async function create(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${ownerMark()}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** By renaming: of several that clear at once, one gets the file, and sees whether it still is the dead one's. */
async function clear(lock: string, dead: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(() => undefined);
  const taken = textOf(aside) ?? dead;
  if (taken !== dead) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}

function textOf(file: string): string | undefined {
  const read = readOutside(file, MOST_OF_LOCK);
  return read.ok ? read.text : undefined;
}

/** Of ours; what is longer is somebody else's. */
const MOST_OF_LOCK = 4_096;
