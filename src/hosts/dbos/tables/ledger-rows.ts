import { SignalboxError } from "../../../core/failure/errors.ts";
import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import { problemOfQuery } from "../../ledger/rule-text.ts";
import type { Database } from "./database.ts";
import { readingOnly, wordsAboutTheText } from "./ledger.ts";
import { numbered } from "./positional-params.ts";

export type AskedRows = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** There are more. */
  readonly truncated: boolean;
};

const QUERY_MS = 30_000;
/** As many as this machine's own store gives: more of them a person does not read. */
const MOST_ROWS = 1_000;

/** What a person asks of the ledger: the same rights as a rule, more rows and more time. */
export async function ledgerRowsOf(database: Database, sql: string, reader: string | undefined): Promise<AskedRows> {
  const problem = problemOfQuery(sql);
  if (problem !== undefined) throw refused(problem);
  const { text } = numbered(sql, {});
  try {
    const { columns, rows } = await database.transaction(
      (_query, table) => table(`SELECT * FROM (${text}\n) AS asked LIMIT ${MOST_ROWS + 1}`),
      { begin: readingOnly(reader, QUERY_MS) },
    );
    return { columns, rows: rows.slice(0, MOST_ROWS), truncated: rows.length > MOST_ROWS };
  } catch (error) {
    const words = wordsAboutTheText(error);
    if (words === undefined) throw error;
    throw words === STOPPED ? tooLong() : refused(words);
  }
}

const STOPPED = "canceling statement due to statement timeout";

const refused = (why: string) =>
  new SignalboxError(
    "USAGE",
    `The query was refused: ${why}.`,
    `Ask with one SELECT, as Postgres writes it. A team's ledger has the tables ${Object.keys(LEDGER_TABLES).join(", ")}.`,
  );

const tooLong = () =>
  new SignalboxError(
    "USAGE",
    `The query was stopped: it had no answer after ${QUERY_MS / 1_000} s.`,
    "Ask for less: a WHERE over run_id, or a LIMIT in recursive parts.",
  );
