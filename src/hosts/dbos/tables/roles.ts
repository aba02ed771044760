import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import type { Database } from "./database.ts";
import { createMissingWorkerRoleError } from "./failure.ts";
import { quoteIdentifier } from "./quote-identifier.ts";

const READER = "signalbox_reader";
/** The roles for members and workers, to be granted to the roles that they log in as. */
const MEMBER = "signalbox_member";
const WORKER = "signalbox_worker";
/** Tables that only workers write. Members change runs through database functions. */
const WORKER_TABLES = [
  "workers",
  "effects",
  "stops",
  "spools",
  "blobs",
  "runs",
  "journal",
  "tasks",
  ...Object.keys(LEDGER_TABLES),
];

/** The role that can only read the ledger; undefined if our user may not create or use one. */
export async function findReaderRole(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ usable: boolean }>(
    `SELECT bool_and(pg_has_role(current_user, role.oid, 'MEMBER') AND has_table_privilege(role.oid, name, 'SELECT')) AS usable
     FROM pg_roles role, unnest($2::text[]) AS name WHERE rolname = $1`,
    [READER, Object.keys(LEDGER_TABLES)],
  );
  return row?.usable ? READER : undefined;
}

/** Creates the roles if our user may. Without them, rules run in a read-only transaction only. */
export function formatRoleScript(schema: string): string {
  const name = quoteIdentifier(schema);
  return joinGrants([
    `CREATE ROLE ${READER} NOLOGIN`,
    `GRANT ${READER} TO CURRENT_USER`,
    `GRANT USAGE ON SCHEMA ${name} TO ${READER}`,
    `GRANT SELECT ON ${Object.keys(LEDGER_TABLES).join(", ")} TO ${READER}`,
    `CREATE ROLE ${MEMBER} NOLOGIN`,
    `GRANT ${READER} TO ${MEMBER}`,
    `CREATE ROLE ${WORKER} NOLOGIN`,
    `GRANT ${MEMBER} TO ${WORKER}`,
    ...[MEMBER, WORKER].flatMap((role) => [
      ...listGrants(role, name),
      // Records are append-only: triggers enforce it, and the right is revoked as well.
      `REVOKE UPDATE, DELETE, TRUNCATE ON journal, trust, ${Object.keys(LEDGER_TABLES).join(", ")} FROM ${role}`,
      `REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${role}`,
    ]),
    `REVOKE INSERT, UPDATE, DELETE ON ${WORKER_TABLES.join(", ")} FROM ${MEMBER}`,
    // A member could otherwise hide signals by marking them as read or by choosing their ids.
    `REVOKE INSERT, UPDATE, DELETE ON inbox FROM ${MEMBER}`,
    `GRANT INSERT (run, at, letter) ON inbox TO ${MEMBER}`,
    // A run cannot continue without its notes: a database function adds them, and none are replaced.
    `REVOKE INSERT, UPDATE, DELETE ON notes FROM ${MEMBER}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${name} FROM ${MEMBER}`,
  ]);
}

/** Throws unless our user has the rights of a worker. */
export async function requireWorker({ query, url }: Database): Promise<void> {
  const [row] = await query<{ may: boolean }>("SELECT has_table_privilege('workers', 'INSERT') AS may");
  if (!row?.may) throw createMissingWorkerRoleError(url, WORKER);
}

/** The grants for DBOS's tables, which are in a schema of their own. */
export const formatSchemaGrants = (schema: string): string =>
  joinGrants([
    ...listGrants(WORKER, quoteIdentifier(schema)),
    `GRANT USAGE ON SCHEMA ${quoteIdentifier(schema)} TO ${MEMBER}`,
    `REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${quoteIdentifier(schema)} FROM ${MEMBER}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${quoteIdentifier(schema)} TO ${MEMBER}`,
  ]);

const listGrants = (role: string, schema: string): readonly string[] => [
  `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
  `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
  `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${role}`,
];

/** Roles belong to the whole cluster, so another database may have created them, or be creating them now. */
const joinGrants = (grants: readonly string[]): string =>
  grants
    .map(
      (grant) =>
        `DO $$ BEGIN ${grant}; EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege OR undefined_object OR invalid_grant_operation THEN NULL; END $$;`,
    )
    .join("\n");
