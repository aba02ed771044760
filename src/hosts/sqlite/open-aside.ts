import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export type Judge = (db: DatabaseSync) => void;

/**
 * To look at a database where nothing can be written, not even the small file in which connections meet: a full disk,
 * or one that can only be read. Undefined where it cannot be done without leaving out what was stored last.
 */
export function openAside(file: string, judge: Judge): DatabaseSync | undefined {
  // To open what is not there would make it.
  if (!existsSync(file)) return undefined;
  return judged(() => alone(file), judge) ?? judged(() => unmoving(file), judge);
}

/** Who has it alone needs no such file. Where another process is at work the usual way is open anyway. */
function alone(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  db.exec("PRAGMA locking_mode = EXCLUSIVE");
  db.exec("PRAGMA synchronous = FULL");
  return db;
}

/** As if it could never change, which leaves out what is only in its log. */
function unmoving(file: string): DatabaseSync | undefined {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true });
}

function judged(open: () => DatabaseSync | undefined, judge: Judge): DatabaseSync | undefined {
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
