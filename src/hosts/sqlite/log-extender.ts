import { closeSync, fstatSync, openSync, writeSync } from "node:fs";

/** Slightly above the size at which SQLite restarts its log: 1,000 pages of 4 KiB and their headers. */
const MOST_BYTES = 4_200_000;
/** A process with fewer commits only posts a signal or reads, and extending the log would cost more than it saves. */
const FIRST = 8;

/**
 * Writes zeros after the end of the write-ahead log, so that later commits overwrite them. When a file grows, each sync
 * also commits the file system's own journal, which doubles its cost. SQLite ends its log at the first frame with a
 * wrong checksum, as it does when it restarts the log over an older one.
 * Call it before each commit while holding the write lock: nothing else writes to the log then. The log is doubled each
 * time the number of commits has doubled, so it never reserves more than was already used.
 */
export function createLogExtender(file: string): () => void {
  let commits = 0;
  return () => {
    commits += 1;
    const due = commits >= FIRST && (commits & (commits - 1)) === 0;
    if (due && file !== ":memory:") extendLog(`${file}-wal`);
  };
}

function extendLog(log: string): void {
  try {
    const fd = openSync(log, "r+");
    try {
      const { size } = fstatSync(fd);
      const more = Math.min(size, MOST_BYTES - size);
      if (more > 0) writeSync(fd, Buffer.alloc(more), 0, more, size);
    } finally {
      closeSync(fd);
    }
  } catch {
    // This is only an optimization; SQLite reports disk problems itself.
  }
}
