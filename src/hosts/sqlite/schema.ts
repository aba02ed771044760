import { DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/failure/errors.ts";
import { migrate } from "./migrate.ts";

type Entry = { readonly type: string; readonly name: string; readonly sql: string | null };

/** Throws when the file has anything that our migrations did not make: a trigger acts in our name. */
export function refuseForeignSchema(db: DatabaseSync, file: string): void {
  const own = ownSchema();
  const foreign = entriesOf(db).find(({ name, sql }) => !own.has(name) || own.get(name) !== sql);
  if (foreign) throw changed(file, foreign);
}

/** Throws as soon as anybody has changed the schema since the last look; asking costs next to nothing. */
export function schemaGuard(db: DatabaseSync, file: string): () => void {
  const version = db.prepare("PRAGMA schema_version");
  const now = () => version.get()?.["schema_version"];
  let known = now();
  return () => {
    const seen = now();
    if (seen === known) return;
    refuseForeignSchema(db, file);
    known = seen;
  };
}

let schema: ReadonlyMap<string, string | null> | undefined;

function ownSchema(): ReadonlyMap<string, string | null> {
  if (schema) return schema;
  const fresh = new DatabaseSync(":memory:");
  try {
    migrate({ db: fresh, file: ":memory:", now: 0 });
    schema = new Map(entriesOf(fresh).map(({ name, sql }) => [name, sql]));
    return schema;
  } finally {
    fresh.close();
  }
}

function entriesOf(db: DatabaseSync): readonly Entry[] {
  const rows = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'");
  return rows.all() as Entry[]; // the three columns are those of the type
}

function changed(file: string, { type, name }: Entry): SignalboxError {
  const drop = `sqlite3 ${file} 'DROP ${type.toUpperCase()} "${name}"'`;
  return new SignalboxError(
    "DATABASE_DAMAGED",
    `The database was changed from outside: ${file} has the ${type} "${name}", which Signalbox did not make.`,
    `Nothing was stored since it was found. Look at it, then remove it (\`${drop}\`) or restore a backup; then \`signalbox resume\`.`,
  );
}
