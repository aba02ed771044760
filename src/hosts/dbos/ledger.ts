import type { Json } from "../../core/json.ts";
import type { Host } from "../../core/ports/host.ts";
import { bound, refuseUnlessQuery, ruleInvalid } from "../ledger/rule-text.ts";
import type { Database } from "./database.ts";
import { numbered } from "./numbered.ts";

const RULE_MS = 2_000;

/**
 * Rules are asked in a transaction that cannot write, for two seconds at most, as a role that can read the four
 * tables only. The server takes one statement, and the text stands inside another SELECT, where nothing but a query
 * is grammar.
 */
export function postgresLedger(database: Database, reader: string | undefined): Host["ledger"] {
  const begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${RULE_MS}${reader ? `; SET LOCAL ROLE ${reader}` : ""}`;
  return {
    async ask(sql, params) {
      refuseUnlessQuery(sql);
      const { text, values } = numbered(sql, bound(sql, params));
      try {
        const [row] = await database.transaction(
          (query) => query<Record<string, Json>>(`SELECT * FROM (${text}\n) AS asked LIMIT 1`, values),
          begin,
        );
        return row && { ...row };
      } catch (error) {
        throw isAboutTheText(error) ? ruleInvalid(sql, error.message, error) : error;
      }
    },
  };
}

/** Connection failures, exhaustion and shutdowns of the server say nothing about the rule. */
function isAboutTheText(error: unknown): error is Error {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return false;
  return !/^(08|53|57P)/.test(String(error.code));
}
