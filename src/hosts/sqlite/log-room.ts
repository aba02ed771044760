import { closeSync, fstatSync, openSync, writeSync } from "node:fs";

/** A little above what SQLite lets its log grow to before it begins it anew: 1,000 pages of 4 KiB and their headers. */
const MOST_BYTES = 4_200_000;
/** Who commits less often than this only posts a letter or reads: room would cost more than it saves. */
const FIRST = 8;

/**
 * Writes zeros behind the log, so that commits to come overwrite what is there. A file that grows costs a commit of the
 * file system's own journal at every sync, which is as much again as the sync. SQLite ends its log at the first frame
 * whose checksum is wrong, as it does when it begins the log anew over an older one.
 *
 * To be called by who holds the write lock, before each commit: nobody else writes to the log then. Each time as many
 * commits as before have come, the log is doubled: what is written ahead is never more than what was needed.
 */
export function roomInLog(file: string): () => void {
  let commits = 0;
  return () => {
    commits += 1;
    const due = commits >= FIRST && (commits & (commits - 1)) === 0;
    if (due && file !== ":memory:") extend(`${file}-wal`);
  };
}

function extend(log: string): void {
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
    // It only saves time. What is wrong with the disk, SQLite says when it needs it.
  }
}
