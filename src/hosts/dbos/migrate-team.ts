import { openPostgres } from "./tables/database.ts";
import { toMigrationError } from "./tables/failure.ts";
import { withIdleSchemaLock } from "./tables/lock.ts";
import { formatSchemaGrants } from "./tables/roles.ts";
import { migrateTables, type SchemaChange } from "./tables/schema.ts";
import { getDbosSchema, migrateWorkflows } from "./workflows/workflows.ts";

const CONNECTIONS = 2;
const PATIENCE_MS = 5_000;

/** Creates or updates the tables of Signalbox and DBOS. All other commands refuse tables of another version. */
export async function migrateTeam(url: string, schema = "signalbox"): Promise<SchemaChange> {
  const database = await openPostgres({ url, schema, connections: CONNECTIONS, patienceMs: PATIENCE_MS });
  try {
    const change = await migrateTables(database);
    // DBOS's migration fails when two run at once, so it runs under a lock.
    await withIdleSchemaLock(database, "launch", () => migrateWorkflows(database));
    await database.query(formatSchemaGrants(getDbosSchema(schema)));
    return change;
  } catch (error) {
    throw toMigrationError(error, url);
  } finally {
    await database.close();
  }
}
