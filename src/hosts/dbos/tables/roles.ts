import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import type { Database } from "./database.ts";
import { noWorker } from "./failure.ts";
import { quoted } from "./quoted.ts";

const READER = "signalbox_reader";
/** What a person of the team needs, and what a worker does: to be granted to the roles that they log in as. */
const MEMBER = "signalbox_member";
const WORKER = "signalbox_worker";
/** Written by whoever works, and by nobody else: what people do to a run, functions of the database do for them. */
const OF_WORKERS = [
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
    `CREATE ROLE ${WORKER} NOLOGIN`,
    `GRANT ${MEMBER} TO ${WORKER}`,
    ...[MEMBER, WORKER].flatMap((role) => [
      ...grantsTo(role, name),
      // What is recorded stays: the triggers say so, and the right is lacking as well.
      `REVOKE UPDATE, DELETE, TRUNCATE ON journal, trust, ${Object.keys(LEDGER_TABLES).join(", ")} FROM ${role}`,
      `REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${role}`,
    ]),
    `REVOKE INSERT, UPDATE, DELETE ON ${OF_WORKERS.join(", ")} FROM ${MEMBER}`,
    // A letter that was marked as read would reach nobody, and one with a number of its own would hide those after it.
    `REVOKE INSERT, UPDATE, DELETE ON inbox FROM ${MEMBER}`,
    `GRANT INSERT (run, at, letter) ON inbox TO ${MEMBER}`,
    // Nobody goes on with a run without its notes: a function of the database adds them, and none are replaced.
    `REVOKE INSERT, UPDATE, DELETE ON notes FROM ${MEMBER}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${name} FROM ${MEMBER}`,
  ]);
}

/** Throws unless our user may do what workers do. */
export async function requireWorker({ query, url }: Database): Promise<void> {
  const [row] = await query<{ may: boolean }>("SELECT has_table_privilege('workers', 'INSERT') AS may");
  if (!row?.may) throw noWorker(url, WORKER);
}

/** The same for the tables of DBOS, which lie in a schema of their own. */
export const grantSchema = (schema: string): string =>
  scriptOf([
    ...grantsTo(WORKER, quoted(schema)),
    `GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${MEMBER}`,
    `REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${quoted(schema)} FROM ${MEMBER}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${quoted(schema)} TO ${MEMBER}`,
  ]);

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
