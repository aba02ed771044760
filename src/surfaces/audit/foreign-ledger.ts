import { chmodSync, copyFileSync, constants as copying, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/failure/errors.ts";

export type Value = string | number | bigint | null | Uint8Array;
export type ForeignTable = {
  /** Lower case, as SQLite does not tell `Round` from `round`. */
  readonly columns: readonly string[];
  /** The named columns of every row; one that the table lacks is undefined. */
  rows(names: readonly string[]): Iterable<readonly (Value | undefined)[]>;
};
export type ForeignLedger = { readonly table: (name: string) => ForeignTable | undefined };

/**
 * Reads a ledger that somebody else wrote. SQLite would put `-wal` and `-shm` files beside it, and an immutable
 * connection would not see what still stands in its `-wal`: so a private copy of both is read.
 */
export function readForeign<T>(file: string, look: (ledger: ForeignLedger) => T): T {
  refuseUnlessFile(file);
  const folder = mkdtempSync(join(tmpdir(), "signalbox-audit-"));
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(copied(file, folder), { readOnly: true });
    readingOnly(db);
    return look(opened(db));
  } catch (error) {
    throw meaning(error, file);
  } finally {
    db?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuseUnlessFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile()) return;
  throw new SignalboxError(
    "USAGE",
    found ? `${file} is not a file.` : `There is no file ${file}.`,
    "Name the SQLite file that holds the ledger: `signalbox audit FILE.db`.",
  );
}

/** A `-journal` comes along too: without it a half-written file would look whole. */
function copied(file: string, folder: string): string {
  const copy = join(folder, "ledger.db");
  for (const part of ["", "-wal", "-journal"]) {
    if (!existsSync(file + part)) continue;
    copyFileSync(file + part, copy + part, copying.COPYFILE_FICLONE);
    chmodSync(copy + part, 0o600);
  }
  return copy;
}

/** The connection is read-only already; this leaves no way to attach, to ask for pragmas or to call functions. */
function readingOnly(db: DatabaseSync): void {
  const allowed = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ]);
  db.setAuthorizer((action) => (allowed.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY));
}

function opened(db: DatabaseSync): ForeignLedger {
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all();
  const names = new Map(found.map((row) => [String(row["name"]).toLowerCase(), String(row["name"])]));
  return {
    table: (name) => {
      const spelled = names.get(name);
      return spelled === undefined ? undefined : tableOf(db, spelled);
    },
  };
}

function tableOf(db: DatabaseSync, name: string): ForeignTable {
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
        // Asked for as arrays, and SQLite has no other kinds of values.
        const values = row as unknown as readonly Value[];
        yield names.map((column, at) => (columns.includes(column) ? values[at] : undefined));
      }
    },
  };
}

function meaning(error: unknown, file: string): unknown {
  if (error instanceof SignalboxError || !(error instanceof Error)) return error;
  if ("errcode" in error) {
    return new SignalboxError(
      "DATABASE_DAMAGED",
      `${file} cannot be read as a ledger: ${error.message}.`,
      "Nothing was changed. Check that it is the SQLite file and that nothing is writing to it; a damaged one may be recovered with `sqlite3 FILE .recover`.",
      { cause: error },
    );
  }
  if (!("syscall" in error)) return error;
  return new SignalboxError(
    "DATABASE_UNREACHABLE",
    `${file} could not be copied for reading: ${error.message}.`,
    "Check the permissions of the file and the free space of the temporary folder, then try again.",
    { cause: error },
  );
}
