import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import type { Database } from "./database.ts";
import { quoted } from "./quoted.ts";

const READER = "signalbox_reader";
/** What a person or a worker of the team needs: to be granted to the roles that they log in as. */
export const MEMBER = "signalbox_member";

/** The role that may read the ledger and nothing else; undefined where our user may not create or take one. */
export async function readerRole(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ usable: boolean }>(
    `SELECT bool_and(pg_has_role(current_user, role.oid, 'MEMBER') AND has_table_privilege(role.oid, name, 'SELECT')) AS usable
     FROM pg_roles role, unnest($2::text[]) AS name WHERE rolname = $1`,
    [READER, Object.keys(LEDGER_TABLES)],
  );
  return row?.usable ? READER : undefined;
}

/** Creates the roles where our user may; where not, rules are asked in a read-only transaction only. */
export function createRoles(schema: string): string {
  const name = quoted(schema);
  return scriptOf([
    `CREATE ROLE ${READER} NOLOGIN`,
    `GRANT ${READER} TO CURRENT_USER`,
    `GRANT USAGE ON SCHEMA ${name} TO ${READER}`,
    `GRANT SELECT ON ${Object.keys(LEDGER_TABLES).join(", ")} TO ${READER}`,
    `CREATE ROLE ${MEMBER} NOLOGIN`,
    `GRANT ${READER} TO ${MEMBER}`,
    ...grantsTo(MEMBER, name),
    // What is recorded stays: the triggers say so, and a member lacks the right as well.
    `REVOKE UPDATE, DELETE, TRUNCATE ON journal, trust, ${Object.keys(LEDGER_TABLES).join(", ")} FROM ${MEMBER}`,
    `REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${MEMBER}`,
  ]);
}

/** The same for the tables of DBOS, which lie in a schema of their own. */
export const grantSchema = (schema: string): string => scriptOf(grantsTo(MEMBER, quoted(schema)));

const grantsTo = (role: string, schema: string): readonly string[] => [
  `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
  `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
  `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${role}`,
];

/** Roles belong to the whole cluster: another database may have made them already, or be making them now. */
const scriptOf = (grants: readonly string[]): string =>
  grants
    .map(
      (grant) =>
        `DO $$ BEGIN ${grant}; EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege OR undefined_object OR invalid_grant_operation THEN NULL; END $$;`,
    )
    .join("\n");
