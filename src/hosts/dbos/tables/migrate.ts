import { SignalboxError } from "../../../core/failure/errors.ts";
import { init } from "../migrations/0001-init.ts";
import { type Database, quoted } from "./database.ts";
import { exclusively } from "./lock.ts";
import { createReaderRole } from "./reader-role.ts";

/** Forward only; a migration never changes once it is released. */
const MIGRATIONS: readonly string[] = [init];

/** Brings our tables up to date. Any number of processes may do it at once: the lock lets them in one by one. */
export async function migrate(database: Database): Promise<void> {
  await exclusively(database, "migrate", async (query) => {
    await query(`CREATE SCHEMA IF NOT EXISTS ${quoted(database.schema)}`);
    await query("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL)");
    const [newest] = await query<{ version: number }>("SELECT coalesce(max(version), 0) AS version FROM migrations");
    const version = newest?.version ?? 0;
    refuseNewer(version);
    for (const [index, sql] of [...MIGRATIONS.entries()].slice(version)) {
      await query("INSERT INTO migrations (version, at) VALUES ($1, now())", [index + 1]);
      await query(sql);
    }
    if (version < MIGRATIONS.length) await query(createReaderRole(database.schema));
  });
}

function refuseNewer(version: number): void {
  if (version <= MIGRATIONS.length) return;
  throw new SignalboxError(
    "DATABASE_NEWER",
    `The database has schema ${version}; this Signalbox knows schemas up to ${MIGRATIONS.length}.`,
    "Use the newer Signalbox that wrote it, or another database.",
  );
}
