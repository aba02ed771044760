import { openDatabase } from "./tables/database.ts";
import { meaningForMigration } from "./tables/failure.ts";
import { exclusivelyIdle } from "./tables/lock.ts";
import { grantSchema } from "./tables/roles.ts";
import { migrateTables, type SchemaChange } from "./tables/schema.ts";
import { dbosSchema, migrateWorkflows } from "./workflows/workflows.ts";

const CONNECTIONS = 2;
const PATIENCE_MS = 5_000;

/** Creates or updates the tables of Signalbox and DBOS. All other commands refuse tables of another version. */
export async function migrateTeam(url: string, schema = "signalbox"): Promise<SchemaChange> {
  const database = await openDatabase({ url, schema, connections: CONNECTIONS, patienceMs: PATIENCE_MS });
  try {
    const change = await migrateTables(database);
    // DBOS's migration fails when two run at once, so it runs under a lock.
    await exclusivelyIdle(database, "launch", () => migrateWorkflows(database));
    await database.query(grantSchema(dbosSchema(schema)));
    return change;
  } catch (error) {
    throw meaningForMigration(error, url);
  } finally {
    await database.close();
  }
}
