import { statSync } from "node:fs";
import type { SignalboxError } from "../../core/errors.ts";
import { damaged } from "./failure.ts";

/**
 * Throws when the file, or the log beside it that holds its newest commits, was removed or replaced since it was opened:
 * what is written from then on would be read by nobody.
 */
export function sameFileGuard(file: string): () => void {
  const paths = file === ":memory:" ? [] : [file, `${file}-wal`];
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
