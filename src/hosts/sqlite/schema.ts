import { DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/failure/errors.ts";
import { migrateDatabase } from "./migrate.ts";

type SchemaEntry = { readonly type: string; readonly name: string; readonly sql: string | null };

/** Throws if the file contains anything that our migrations did not create, such as a trigger. */
export function refuseForeignSchema(db: DatabaseSync, file: string): void {
  const own = getOwnSchema();
  const foreign = listSchemaEntries(db).find(({ name, sql }) => !own.has(name) || own.get(name) !== sql);
  if (foreign) throw createChangedError(file, foreign);
}

/** Throws when the schema has changed since the last call; checking is almost free. */
export function createSchemaGuard(db: DatabaseSync, file: string): () => void {
  const version = db.prepare("PRAGMA schema_version");
  const readSchemaCounter = () => version.get()?.["schema_version"];
  let known = readSchemaCounter();
  return () => {
    const seen = readSchemaCounter();
    if (seen === known) return;
    refuseForeignSchema(db, file);
    known = seen;
  };
}

let schema: ReadonlyMap<string, string | null> | undefined;

function getOwnSchema(): ReadonlyMap<string, string | null> {
  if (schema) return schema;
  const fresh = new DatabaseSync(":memory:");
  try {
    migrateDatabase({ db: fresh, file: ":memory:", now: 0 });
    schema = new Map(listSchemaEntries(fresh).map(({ name, sql }) => [name, sql]));
    return schema;
  } finally {
    fresh.close();
  }
}

function listSchemaEntries(db: DatabaseSync): readonly SchemaEntry[] {
  const rows = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'");
  return rows.all() as SchemaEntry[]; // the three columns are those of the type
}

function createChangedError(file: string, { type, name }: SchemaEntry): SignalboxError {
  const drop = `sqlite3 ${file} 'DROP ${type.toUpperCase()} "${name}"'`;
  return new SignalboxError(
    "DATABASE_DAMAGED",
    `The database was changed by another program: ${file} contains the ${type} "${name}", which Signalbox did not create.`,
    `Nothing has been stored since. Inspect it, then remove it (\`${drop}\`) or restore a backup; then run \`signalbox resume\`.`,
  );
}
