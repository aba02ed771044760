import type { DatabaseSync } from "node:sqlite";

const LOOK_MS = 50;

/**
 * Detects commits of other connections, in this process or another. The last known version is remembered while nothing
 * watches, so a change between checking and waiting counts.
 */
export function watchOthers(db: DatabaseSync, onChange: () => void): () => () => void {
  const dataVersion = db.prepare("PRAGMA data_version");
  const readVersion = () => dataVersion.get()?.["data_version"];
  let known = readVersion();
  const look = (): void => {
    try {
      const now = readVersion();
      if (now === known) return;
      known = now;
    } catch {
      // The woken caller reads the database itself and reports the error.
    }
    onChange();
  };
  return () => {
    // Uses real time: another process makes the change, and a held clock cannot advance that.
    const first = setImmediate(look);
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearImmediate(first);
      clearInterval(timer);
    };
  };
}
