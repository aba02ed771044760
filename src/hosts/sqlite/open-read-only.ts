import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export type DatabaseCheck = (db: DatabaseSync) => void;

/**
 * Opens a database for reading if nothing can be written, not even the shared-memory file: on a full disk or a
 * read-only one. Returns undefined if the latest commits would be missing.
 */
export function openReadOnly(file: string, judge: DatabaseCheck): DatabaseSync | undefined {
  // Opening a missing file would create it.
  if (!existsSync(file)) return undefined;
  return openChecked(() => openExclusive(file), judge) ?? openChecked(() => openImmutable(file), judge);
}

/**
 * An exclusive connection needs no shared-memory file. If another process uses the database, the normal way works
 * anyway.
 */
function openExclusive(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  db.exec("PRAGMA locking_mode = EXCLUSIVE");
  db.exec("PRAGMA synchronous = FULL");
  return db;
}

/** Opens the file as immutable, which skips the contents of its log. */
function openImmutable(file: string): DatabaseSync | undefined {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true });
}

function openChecked(open: () => DatabaseSync | undefined, judge: DatabaseCheck): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = open();
    if (db) judge(db);
    return db;
  } catch {
    db?.close();
    return undefined;
  }
}
