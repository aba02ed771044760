import { statSync } from "node:fs";
import type { SignalboxError } from "../../core/failure/errors.ts";
import { createDamagedError } from "./failure.ts";

/** Commits in quick succession share a check, which costs as much as a commit. */
const LOOK_MS = 10;

/**
 * Throws if the database file, its write-ahead log or the log's shared-memory index was removed or replaced since it
 * was opened: further writes would be lost.
 * A check before every commit would guarantee no more, because the file can be removed right after it. It would cost
 * more: reading a file's times makes Linux record an exact time at the next change and sync that too.
 */
export function createSameFileGuard(file: string): () => void {
  const paths = file === ":memory:" ? [] : ["", "-wal", "-shm"].map((end) => `${file}${end}`);
  const known = new Map<string, number>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    // Uses real time, because another process changes the file.
    const time = performance.now();
    if (time - lookedAt < LOOK_MS) return;
    lookedAt = time;
    for (const path of paths) {
      const now = statSync(path, { throwIfNoEntry: false })?.ino;
      const then = known.get(path);
      if (then !== undefined && then !== now) throw createReplacedError(path, now !== undefined);
      if (now !== undefined) known.set(path, now);
    }
  };
}

function createReplacedError(path: string, replaced: boolean): SignalboxError {
  return createDamagedError(`${path} was ${replaced ? "replaced" : "removed"} while a run was being written to it`);
}
