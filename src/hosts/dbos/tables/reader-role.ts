import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import { type Database, quoted } from "./database.ts";

const READER = "signalbox_reader";

/** The role that may read the ledger and nothing else; undefined where our user may not create or take one. */
export async function readerRole(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ usable: boolean }>(
    `SELECT bool_and(pg_has_role(current_user, role.oid, 'MEMBER') AND has_table_privilege(role.oid, name, 'SELECT')) AS usable
     FROM pg_roles role, unnest($2::text[]) AS name WHERE rolname = $1`,
    [READER, Object.keys(LEDGER_TABLES)],
  );
  return row?.usable ? READER : undefined;
}

/** Creates the role where our user may; where not, rules are asked in a read-only transaction only. */
export function createReaderRole(schema: string): string {
  const grants = [
    `CREATE ROLE ${READER} NOLOGIN`,
    `GRANT ${READER} TO CURRENT_USER`,
    `GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${READER}`,
    `GRANT SELECT ON ${Object.keys(LEDGER_TABLES).join(", ")} TO ${READER}`,
  ];
  // Roles belong to the whole cluster: another database may have made it already, or be making it now.
  return grants
    .map(
      (grant) =>
        `DO $$ BEGIN ${grant}; EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege OR undefined_object OR invalid_grant_operation THEN NULL; END $$;`,
    )
    .join("\n");
}
