import type { DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/failure/errors.ts";
import { MIGRATIONS } from "./migrations/index.ts";

/** "SgBx": tells our files from other SQLite databases. */
export const APPLICATION_ID = 0x53674278;

export type Migration = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly now: number;
  readonly migrations?: readonly string[];
};

/** Brings the schema up to date. Many may try at once: who loses finds the work done. */
export function migrate({ db, file, now, migrations = MIGRATIONS }: Migration): void {
  const newest = migrations.length;
  refuseNewer({ version: versionOf(db), newest, file });
  if (versionOf(db) === newest) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec("CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT");
    // Asked again under the lock: another opener may have been here since.
    for (let version = versionOf(db) + 1; version <= newest; version++) {
      // The row comes first, so that its key refuses a second migrator before it changes anything.
      db.prepare("INSERT INTO migrations (version, at) VALUES (?, ?)").run(version, now);
      db.exec(migrations[version - 1] ?? "");
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

export function isCurrent(db: DatabaseSync): boolean {
  return versionOf(db) === MIGRATIONS.length;
}

function versionOf(db: DatabaseSync): number {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  if (!table) return 0;
  return Number(db.prepare("SELECT COALESCE(MAX(version), 0) AS version FROM migrations").get()?.["version"]);
}

function refuseNewer({ version, newest, file }: { version: number; newest: number; file: string }): void {
  if (version <= newest) return;
  throw new SignalboxError(
    "DATABASE_NEWER",
    `${file} has schema ${version}; this Signalbox knows schemas up to ${newest}.`,
    "Nothing was changed. Update Signalbox to the version that wrote it, or use another folder.",
  );
}
