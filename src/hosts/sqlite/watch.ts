import type { DatabaseSync } from "node:sqlite";

const LOOK_MS = 50;

/**
 * Notices commits of other connections, in this process or another. What was known last is kept while nobody
 * watches, so a change between looking and waiting still counts.
 */
export function watchOthers(db: DatabaseSync, onChange: () => void): () => () => void {
  const dataVersion = db.prepare("PRAGMA data_version");
  const version = () => dataVersion.get()?.["data_version"];
  let known = version();
  const look = (): void => {
    try {
      const now = version();
      if (now === known) return;
      known = now;
    } catch {
      // Whoever waits looks for itself then, and meets the error where it can be told.
    }
    onChange();
  };
  return () => {
    // Real time, not the world's: what is waited for is another process, and no held clock can hurry that.
    const first = setImmediate(look);
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearImmediate(first);
      clearInterval(timer);
    };
  };
}
