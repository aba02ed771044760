import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { World } from "../../core/ports/world.ts";
import { createDamagedError, isDiskProblem, toStoreError } from "./failure.ts";
import { APPLICATION_ID, isCurrent, migrateDatabase } from "./migrate.ts";
import { openReadOnly } from "./open-read-only.ts";
import { refuseForeignSchema } from "./schema.ts";

const BUSY_MS = 5_000;
/**
 * A check reads every page, so for large files it covers only the tables that everything else needs. Damage elsewhere
 * is found on reading, by SQLite or by the hash chain.
 */
const FULL_CHECK_BYTES = 32 * 1024 * 1024;

export type SqliteOptions = {
  readonly file: string;
  readonly world: World;
  /** Allows a full or read-only disk, because nothing has to be written. */
  readonly looking?: boolean;
};

/**
 * Opens a connection that survives power loss at every commit, with a current schema.
 * @rule L-35 (code) The ledger has its four tables with their checks, uses WAL and waits five seconds for a lock; a
 *   damaged file stops the run before any dispatch.
 */
export function openSqlite({ file, world, looking = false }: SqliteOptions): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
    refuseForeign(db, file);
    enterWal(db);
    db.exec("PRAGMA synchronous = FULL");
    refuseDamage(db, file);
    migrateDatabase({ db, file, now: world.now() });
    refuseForeignSchema(db, file);
    return db;
  } catch (error) {
    db?.close();
    const failure = toStoreError(error, file);
    const aside = looking && isDiskProblem(failure) ? openReadOnly(file, (db) => refuseUnknown(db, file)) : undefined;
    if (aside) return aside;
    throw failure;
  }
}

/** The checks of a normal open, without its writes. */
function refuseUnknown(db: DatabaseSync, file: string): void {
  refuseForeign(db, file);
  refuseDamage(db, file);
  if (!isCurrent(db)) throw createDamagedError(`${file} has an older schema`);
  refuseForeignSchema(db, file);
}

function refuseForeign(db: DatabaseSync, file: string): void {
  const application = selectNumber(db, "PRAGMA application_id");
  if (application === APPLICATION_ID) return;
  const tables = selectNumber(db, "SELECT COUNT(*) FROM sqlite_schema");
  // Another process may have created the tables between the two queries.
  if (tables === 0 || selectNumber(db, "PRAGMA application_id") === APPLICATION_ID) return;
  throw createDamagedError(`${file} contains tables that Signalbox did not create`);
}

/** SQLite does not apply its busy timeout when connections race for this switch, so this loop waits. */
function enterWal(db: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += 10) {
    try {
      db.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      const busy = error instanceof Error && "errcode" in error && error.errcode === 5;
      if (!busy || waited >= BUSY_MS) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

function refuseDamage(db: DatabaseSync, file: string): void {
  const small = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= FULL_CHECK_BYTES;
  const checks = small ? ["quick_check(1)"] : ["quick_check(runs)", "quick_check(inbox)"];
  for (const check of checks) {
    const result = Object.values(db.prepare(`PRAGMA ${check}`).get() ?? {})[0];
    if (result !== "ok") throw createDamagedError(`${file}: ${result}`);
  }
}

function selectNumber(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0]);
}
