import { openDatabase } from "./tables/database.ts";
import { meaningForMigration } from "./tables/failure.ts";
import { exclusivelyIdle } from "./tables/lock.ts";
import { grantSchema } from "./tables/roles.ts";
import { migrateTables, type SchemaChange } from "./tables/schema.ts";
import { dbosSchema, migrateWorkflows } from "./workflows/workflows.ts";

const CONNECTIONS = 2;
const PATIENCE_MS = 5_000;

/** Makes or updates our tables and DBOS's. The only thing that does: everything else refuses tables of another version. */
export async function migrateTeam(url: string, schema = "signalbox"): Promise<SchemaChange> {
  const database = await openDatabase({ url, schema, connections: CONNECTIONS, patienceMs: PATIENCE_MS });
  try {
    const change = await migrateTables(database);
    // Two at once break DBOS's own migration: the lock lets them in one by one.
    await exclusivelyIdle(database, "launch", () => migrateWorkflows(database));
    await database.query(grantSchema(dbosSchema(schema)));
    return change;
  } catch (error) {
    throw meaningForMigration(error, url);
  } finally {
    await database.close();
  }
}
