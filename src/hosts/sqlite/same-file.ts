import { statSync } from "node:fs";
import type { SignalboxError } from "../../core/failure/errors.ts";
import { damaged } from "./failure.ts";

/**
 * Throws when the file, the log beside it that holds its newest commits, or that log's index, by which processes agree on
 * what is in it, was removed or replaced since it was opened: what is written from then on would be read by nobody.
 */
export function sameFileGuard(file: string): () => void {
  const paths = file === ":memory:" ? [] : ["", "-wal", "-shm"].map((end) => `${file}${end}`);
  const known = new Map<string, number>();
  return () => {
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
