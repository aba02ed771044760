import { chmodSync, copyFileSync, constants as copying, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/failure/errors.ts";

export type SqlValue = string | number | bigint | null | Uint8Array;
export type ForeignTable = {
  /** Lower case, because SQLite column names are case-insensitive. */
  readonly columns: readonly string[];
  /** The named columns of every row. The value of a missing column is undefined. */
  rows(names: readonly string[]): Iterable<readonly (SqlValue | undefined)[]>;
};
export type ForeignLedger = { readonly table: (name: string) => ForeignTable | undefined };

/**
 * Reads a ledger from another tool. SQLite would create `-wal` and `-shm` files beside it, and an immutable connection
 * would ignore the content of its `-wal`. Therefore a private copy of both is read.
 */
export function readForeignLedger<T>(file: string, look: (ledger: ForeignLedger) => T): T {
  assertIsFile(file);
  const folder = mkdtempSync(join(tmpdir(), "signalbox-audit-"));
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(copyLedger(file, folder), { readOnly: true });
    restrictToReading(db);
    return look(createLedger(db));
  } catch (error) {
    throw toReadableError(error, file);
  } finally {
    db?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function assertIsFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile()) return;
  throw new SignalboxError(
    "USAGE",
    found ? `${file} is not a file.` : `${file} does not exist.`,
    "Pass the SQLite file of the ledger: `signalbox audit FILE.db`.",
  );
}

/**
 * Copies the ledger with its `-wal` and `-journal`. Without the `-journal` a partly written file would look complete.
 */
function copyLedger(file: string, folder: string): string {
  const copy = join(folder, "ledger.db");
  for (const part of ["", "-wal", "-journal"]) {
    if (!existsSync(file + part)) continue;
    copyFileSync(file + part, copy + part, copying.COPYFILE_FICLONE);
    chmodSync(copy + part, 0o600);
  }
  return copy;
}

/**
 * Denies everything but reading. The connection is read-only already; this also prevents ATTACH, pragmas and function
 * calls.
 */
function restrictToReading(db: DatabaseSync): void {
  const allowed = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ]);
  db.setAuthorizer((action) => (allowed.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY));
}

function createLedger(db: DatabaseSync): ForeignLedger {
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all();
  const names = new Map(found.map((row) => [String(row["name"]).toLowerCase(), String(row["name"])]));
  return {
    table: (name) => {
      const spelled = names.get(name);
      return spelled === undefined ? undefined : createTable(db, spelled);
    },
  };
}

function createTable(db: DatabaseSync, name: string): ForeignTable {
  const columns = db
    .prepare(`SELECT * FROM "${name}"`)
    .columns()
    .map((column) => column.name.toLowerCase());
  return {
    columns,
    *rows(names) {
      const picked = names.map((column) => (columns.includes(column) ? `"${column}"` : "NULL"));
      const statement = db.prepare(`SELECT ${picked.join(", ")} FROM "${name}" NOT INDEXED`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      for (const row of statement.iterate()) {
        // The cast holds because the statement returns arrays, and SQLite has no other kinds of values.
        const values = row as unknown as readonly SqlValue[];
        yield names.map((column, at) => (columns.includes(column) ? values[at] : undefined));
      }
    },
  };
}

function toReadableError(error: unknown, file: string): unknown {
  if (error instanceof SignalboxError || !(error instanceof Error)) return error;
  if ("errcode" in error) {
    return new SignalboxError(
      "DATABASE_DAMAGED",
      `${file} cannot be read as a ledger: ${error.message}.`,
      "No file was changed. Check that it is an SQLite file and that nothing is writing to it; a damaged one may be recovered with `sqlite3 FILE .recover`.",
      { cause: error },
    );
  }
  if (!("syscall" in error)) return error;
  return new SignalboxError(
    "DATABASE_UNREACHABLE",
    `${file} could not be copied: ${error.message}.`,
    "Check the permissions of the file and the free space of the temporary folder, then try again.",
    { cause: error },
  );
}
