import { SignalboxError } from "../../../core/failure/errors.ts";
import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import type { LedgerValue, StoredRow } from "../../../core/journal/ledger-rows.ts";
import type { Host } from "../../../core/ports/host.ts";
import type { Json } from "../../../core/text/json.ts";
import { bound, refuseUnlessQuery, ruleInvalid } from "../../ledger/rule-text.ts";
import { ROWS_OF_RUN } from "../../ledger/stored.ts";
import type { Database, Query } from "./database.ts";
import { numbered } from "./positional-params.ts";

const RULE_MS = 2_000;

/**
 * Rules are asked in a transaction that cannot write, for two seconds at most, as a role that can read the four
 * tables only. The server takes one statement, and the text stands inside another SELECT, where nothing but a query
 * is grammar.
 */
export function postgresLedger(database: Database, reader: string | undefined): Host["ledger"] {
  const begin = readingOnly(reader, RULE_MS);
  return {
    async ask(sql, params) {
      refuseUnlessQuery(sql);
      const { text, values } = numbered(sql, bound(sql, params));
      try {
        const [row] = await database.transaction(
          (query) => query<Record<string, Json>>(`SELECT * FROM (${text}\n) AS asked LIMIT 1`, values),
          { begin },
        );
        return row && { ...row };
      } catch (error) {
        throw aboutTheText(sql, error);
      }
    },
    // One view of the four tables: a row that comes meanwhile is in none of them.
    rows: (run) =>
      database.transaction((query) => rowsOf(query, run), { begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" }),
  };
}

/** A transaction that cannot write, and ends by itself. */
export function readingOnly(reader: string | undefined, ms: number): string {
  return `BEGIN READ ONLY; SET LOCAL statement_timeout = ${ms}${reader ? `; SET LOCAL ROLE ${reader}` : ""}`;
}

/** The rule's own fault by name; what the role may not read, a rule has no rights to ask for. */
function aboutTheText(sql: string, error: unknown): unknown {
  const words = wordsAboutTheText(error);
  return words === undefined ? error : ruleInvalid(sql, words, error);
}

/** What the server says where the fault is the text's own. */
export function wordsAboutTheText(error: unknown): string | undefined {
  const why = error instanceof SignalboxError ? error.cause : error;
  return isAboutTheText(why) ? why.message : undefined;
}

async function rowsOf(query: Query, run: string): Promise<readonly StoredRow[]> {
  const stored: StoredRow[] = [];
  for (const { table, text } of ROWS_OF_RUN) {
    const names = LEDGER_TABLES[table];
    for (const row of await query<Record<string, LedgerValue>>(text("$1"), [run])) {
      stored.push({ id: Number(row["id"]), table, values: names.map((name) => row[name] ?? null) });
    }
  }
  return stored;
}

/** Connection failures, exhaustion and shutdowns of the server say nothing about the rule. */
function isAboutTheText(error: unknown): error is Error {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return false;
  return !/^(08|53|57P)/.test(String(error.code));
}
