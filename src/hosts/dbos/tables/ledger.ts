import { SignalboxError } from "../../../core/failure/errors.ts";
import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import type { LedgerValue, StoredRow } from "../../../core/journal/ledger-rows.ts";
import type { Host } from "../../../core/ports/host.ts";
import type { Json } from "../../../core/text/json.ts";
import { LEDGER_SELECTS } from "../../ledger/row-reader.ts";
import { bindParameters, createRuleError, refuseUnlessQuery } from "../../ledger/rule-text.ts";
import type { Database, Query } from "./database.ts";
import { bindPositional } from "./positional-params.ts";

const RULE_MS = 2_000;

/**
 * Runs rules in a read-only transaction of at most two seconds, under a role that can read only the four tables. The
 * server accepts one statement, and the text is placed inside another SELECT, where only a query parses.
 */
export function createPostgresLedger(database: Database, reader: string | undefined): Host["ledger"] {
  const begin = beginReadOnly(reader, RULE_MS);
  return {
    async ask(sql, params) {
      refuseUnlessQuery(sql);
      const { text, values } = bindPositional(sql, bindParameters(sql, params));
      try {
        const [row] = await database.transaction(
          (query) => query<Record<string, Json>>(`SELECT * FROM (${text}\n) AS asked LIMIT 1`, values),
          { begin },
        );
        return row && { ...row };
      } catch (error) {
        throw toRuleError(sql, error);
      }
    },
    // Reads the four tables in one snapshot, so that a concurrent row appears in none of them.
    rows: (run) =>
      database.transaction((query) => selectLedgerRows(query, run), {
        begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
      }),
  };
}

/** A read-only transaction with a time limit. */
export function beginReadOnly(reader: string | undefined, ms: number): string {
  return `BEGIN READ ONLY; SET LOCAL statement_timeout = ${ms}${reader ? `; SET LOCAL ROLE ${reader}` : ""}`;
}

/** Turns errors of the statement into a rule error. This includes tables that the rule has no right to read. */
function toRuleError(sql: string, error: unknown): unknown {
  const words = getStatementError(error);
  return words === undefined ? error : createRuleError(sql, words, error);
}

/** Returns the server's message if the statement caused the error. */
export function getStatementError(error: unknown): string | undefined {
  const why = error instanceof SignalboxError ? error.cause : error;
  return isStatementError(why) ? why.message : undefined;
}

async function selectLedgerRows(query: Query, run: string): Promise<readonly StoredRow[]> {
  const stored: StoredRow[] = [];
  for (const { table, text } of LEDGER_SELECTS) {
    const names = LEDGER_TABLES[table];
    for (const row of await query<Record<string, LedgerValue>>(text("$1"), [run])) {
      stored.push({ id: Number(row["id"]), table, values: names.map((name) => row[name] ?? null) });
    }
  }
  return stored;
}

/** Connection failures, exhausted resources and shutdowns are not caused by the rule. */
function isStatementError(error: unknown): error is Error {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return false;
  return !/^(08|53|57P)/.test(String(error.code));
}
