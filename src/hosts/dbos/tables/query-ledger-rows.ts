import { SignalboxError } from "../../../core/failure/errors.ts";
import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import { findQueryProblem } from "../../ledger/rule-text.ts";
import type { Database } from "./database.ts";
import { beginReadOnly, getStatementError } from "./ledger.ts";
import { bindPositional } from "./positional-params.ts";

export type LedgerQueryResult = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** There are more rows. */
  readonly truncated: boolean;
};

const QUERY_MS = 30_000;
/** Same limit as the local store. */
const MOST_ROWS = 1_000;

/** Runs a person's query with the rights of a rule but more rows and time. */
export async function queryLedgerRows(
  database: Database,
  sql: string,
  reader: string | undefined,
): Promise<LedgerQueryResult> {
  const problem = findQueryProblem(sql);
  if (problem !== undefined) throw createQueryRefusedError(problem);
  const { text } = bindPositional(sql, {});
  try {
    const { columns, rows } = await database.transaction(
      (_query, table) => table(`SELECT * FROM (${text}\n) AS asked LIMIT ${MOST_ROWS + 1}`),
      { begin: beginReadOnly(reader, QUERY_MS) },
    );
    return { columns, rows: rows.slice(0, MOST_ROWS), truncated: rows.length > MOST_ROWS };
  } catch (error) {
    const words = getStatementError(error);
    if (words === undefined) throw error;
    throw words === STOPPED ? createQueryTimeoutError() : createQueryRefusedError(words);
  }
}

const STOPPED = "canceling statement due to statement timeout";

const createQueryRefusedError = (why: string) =>
  new SignalboxError(
    "USAGE",
    `The query was refused: ${why}.`,
    `Write one SELECT in Postgres SQL. The team's ledger has the tables ${Object.keys(LEDGER_TABLES).join(", ")}.`,
  );

const createQueryTimeoutError = () =>
  new SignalboxError(
    "USAGE",
    `The query was stopped after ${QUERY_MS / 1_000} s without a result.`,
    "Narrow it: add a WHERE on run_id, or a LIMIT in recursive parts.",
  );
