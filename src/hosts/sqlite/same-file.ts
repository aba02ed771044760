import { statSync } from "node:fs";
import type { SignalboxError } from "../../core/failure/errors.ts";
import { damaged } from "./failure.ts";

/** Commits that follow each other so closely share a look: it costs as much as they do. */
const LOOK_MS = 10;

/**
 * Throws when the file, the log beside it that holds its newest commits, or that log's index, by which processes agree on
 * what is in it, was removed or replaced since it was opened: what is written from then on would be read by nobody.
 *
 * A look right before every commit would promise no more, because the file can be removed right after it. But it costs:
 * whoever asks for a file's times has Linux write down an exact one at the next change, and sync that too.
 */
export function sameFileGuard(file: string): () => void {
  const paths = file === ":memory:" ? [] : ["", "-wal", "-shm"].map((end) => `${file}${end}`);
  const known = new Map<string, number>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    // Real time, not the world's: it is somebody else who changes the file.
    const time = performance.now();
    if (time - lookedAt < LOOK_MS) return;
    lookedAt = time;
    for (const path of paths) {
      const now = statSync(path, { throwIfNoEntry: false })?.ino;
      const then = known.get(path);
      if (then !== undefined && then !== now) throw gone(path, now !== undefined);
      if (now !== undefined) known.set(path, now);
    }
  };
}

function gone(path: string, replaced: boolean): SignalboxError {
  return damaged(`${path} was ${replaced ? "replaced" : "removed"} while a run was being written to it`);
}
