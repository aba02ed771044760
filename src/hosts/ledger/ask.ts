import { constants, type DatabaseSync, type StatementSync } from "node:sqlite";
import { LEDGER_TABLES } from "../../core/journal/ledger.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Json } from "../../core/text/json.ts";
import { bound, refuseUnlessQuery, ruleInvalid } from "./rule-text.ts";
import { rowReader } from "./stored.ts";
import { whole } from "./write.ts";

/** Rules repeat; their number is small, and a statement costs more to compile than to run. */
const STATEMENTS = 200;

/**
 * Asks a SQLite ledger. Only reading is authorized, whatever else the connection may do.
 * `told` says what an error means that is not the rule's own.
 */
export function ledgerReader(db: DatabaseSync, told: (error: unknown) => unknown = (error) => error): Host["ledger"] {
  const statements = new Map<string, StatementSync>();
  const stored = rowReader(db);
  const compiled = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    refuseUnlessQuery(sql);
    if (statements.size >= STATEMENTS) statements.clear();
    const made = readingOnly(db, () => db.prepare(sql));
    statements.set(sql, made);
    return made;
  };
  return {
    ask: async (sql, params) => {
      const values = Object.entries(bound(sql, params)).map(([name, value]) => [name, whole(value)]);
      try {
        const row = compiled(sql).get(Object.fromEntries(values));
        // TEXT, INTEGER and NULL columns come back as JSON values; the tables have no others.
        return row && ({ ...row } as Record<string, Json>);
      } catch (error) {
        throw isOfTheText(error) ? ruleInvalid(sql, error.message, error) : told(error);
      }
    },
    rows: async (run) => {
      try {
        return stored(run);
      } catch (error) {
        throw told(error);
      }
    },
  };
}

/** SQLITE_ERROR and SQLITE_AUTH: the text is wrong or asks for more than it may. */
function isOfTheText(error: unknown): error is Error {
  return error instanceof Error && "errcode" in error && (error.errcode === 1 || error.errcode === 23);
}

/** The authorizer speaks while a statement is compiled, so it stands only for that long. */
function readingOnly<T>(db: DatabaseSync, compile: () => T): T {
  db.setAuthorizer((action, table, column) =>
    mayRead(action, table, column) ? constants.SQLITE_OK : constants.SQLITE_DENY,
  );
  try {
    return compile();
  } finally {
    db.setAuthorizer(null);
  }
}

const HARMLESS = new Set([constants.SQLITE_SELECT, constants.SQLITE_FUNCTION, constants.SQLITE_RECURSIVE]);

function mayRead(action: number, table: string | null, column: string | null): boolean {
  if (action !== constants.SQLITE_READ) return HARMLESS.has(action);
  // A read without a column is how `COUNT(*)` looks, also over a name that the rule itself gave to a subquery.
  return column === "" || (table !== null && Object.hasOwn(LEDGER_TABLES, table));
}
