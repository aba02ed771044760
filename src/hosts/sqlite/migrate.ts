import type { DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/failure/errors.ts";
import { MIGRATIONS } from "./migrations/index.ts";

/** "SgBx": distinguishes our files from other SQLite databases. */
export const APPLICATION_ID = 0x53674278;

export type Migration = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly now: number;
  readonly migrations?: readonly string[];
};

/** Updates the schema. Safe to run concurrently: the later caller finds the work done. */
export function migrateDatabase({ db, file, now, migrations = MIGRATIONS }: Migration): void {
  const newest = migrations.length;
  refuseNewer({ version: readVersion(db), newest, file });
  if (readVersion(db) === newest) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec("CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT");
    // Checks again under the lock, because another process may have migrated meanwhile.
    for (let version = readVersion(db) + 1; version <= newest; version++) {
      // Inserts the row first, so that its key stops a second migrator before it changes anything.
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
  return readVersion(db) === MIGRATIONS.length;
}

function readVersion(db: DatabaseSync): number {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  if (!table) return 0;
  return Number(db.prepare("SELECT COALESCE(MAX(version), 0) AS version FROM migrations").get()?.["version"]);
}

function refuseNewer({ version, newest, file }: { version: number; newest: number; file: string }): void {
  if (version <= newest) return;
  throw new SignalboxError(
    "DATABASE_NEWER",
    `${file} has schema version ${version}; this Signalbox supports versions up to ${newest}.`,
    "Nothing was changed. Update Signalbox to the version that wrote it, or use another folder.",
  );
}
