import { SignalboxError } from "../../../core/failure/errors.ts";
import { init } from "../migrations/0001-init.ts";
import { team } from "../migrations/0002-team.ts";
import { take } from "../migrations/0003-take.ts";
import { members } from "../migrations/0004-members.ts";
import { takeOver } from "../migrations/0005-take-over.ts";
import { begin } from "../migrations/0006-begin.ts";
import { bounds } from "../migrations/0007-bounds.ts";
import type { Database } from "./database.ts";
import { createSchemaNewerError, createSchemaOldError, toUserError } from "./failure.ts";
import { withSchemaLock } from "./lock.ts";
import { quoteIdentifier } from "./quote-identifier.ts";
import { formatRoleScript } from "./roles.ts";

/** Forward only. A released migration never changes. */
const MIGRATIONS: readonly string[] = [init, team, take, members, takeOver, begin, bounds];
/** The schema version of this release, which refuses to work on any other. */
export const SCHEMA = MIGRATIONS.length;

export type SchemaChange = { readonly from: number; readonly to: number };

/** Updates our tables. Concurrent calls are serialized by a lock. */
export async function migrateTables(database: Database): Promise<SchemaChange> {
  try {
    return await withSchemaLock(database, "migrate", async (query) => {
      await query(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(database.schema)}`);
      await query("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL)");
      const [newest] = await query<{ version: number }>("SELECT coalesce(max(version), 0) AS version FROM migrations");
      const from = newest?.version ?? 0;
      if (from > SCHEMA) throw createSchemaNewerError(database.url, from);
      for (const [index, sql] of [...MIGRATIONS.entries()].slice(from)) {
        await query("INSERT INTO migrations (version, at) VALUES ($1, now())", [index + 1]);
        await query(sql);
      }
      await query(formatRoleScript(database.schema));
      return { from, to: SCHEMA };
    });
  } catch (error) {
    throw error instanceof SignalboxError ? error : toUserError(error, database.url);
  }
}

/** Throws unless the tables have the version of this release. */
export async function requireSchema(database: Database): Promise<void> {
  const version = await readSchemaVersion(database);
  if (version < SCHEMA) throw createSchemaOldError(database.url, version);
  if (version > SCHEMA) throw createSchemaNewerError(database.url, version);
}

async function readSchemaVersion({ query, schema }: Database): Promise<number> {
  const [there] = await query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [
    `${quoteIdentifier(schema)}.migrations`,
  ]);
  if (!there?.there) return 0;
  const [newest] = await query<{ version: number }>("SELECT coalesce(max(version), 0) AS version FROM migrations");
  return newest?.version ?? 0;
}
