import { constants, type DatabaseSync, type StatementSync } from "node:sqlite";
import { LEDGER_TABLES } from "../../core/journal/ledger.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Json } from "../../core/text/json.ts";
import { toSqliteValue } from "./ledger-writer.ts";
import { createRowReader } from "./row-reader.ts";
import { bindParameters, createRuleError, refuseUnlessQuery } from "./rule-text.ts";

/** Rules repeat and are few, and compiling a statement costs more than running it. */
const STATEMENTS = 200;

/**
 * Queries a SQLite ledger. An authorizer permits only reads, whatever else the connection may do. `told` translates
 * errors that the rule did not cause.
 */
export function createLedgerReader(
  db: DatabaseSync,
  translateError: (error: unknown) => unknown = (error) => error,
): Host["ledger"] {
  const statements = new Map<string, StatementSync>();
  const stored = createRowReader(db);
  const compileRule = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    refuseUnlessQuery(sql);
    if (statements.size >= STATEMENTS) statements.clear();
    const made = compileReadOnly(db, () => db.prepare(sql));
    statements.set(sql, made);
    return made;
  };
  return {
    ask: async (sql, params) => {
      const values = Object.entries(bindParameters(sql, params)).map(([name, value]) => [name, toSqliteValue(value)]);
      try {
        const row = compileRule(sql).get(Object.fromEntries(values));
        // The tables have only TEXT, INTEGER and NULL columns, which are JSON values.
        return row && ({ ...row } as Record<string, Json>);
      } catch (error) {
        throw isRuleFault(error) ? createRuleError(sql, error.message, error) : translateError(error);
      }
    },
    rows: async (run) => {
      try {
        return stored(run);
      } catch (error) {
        throw translateError(error);
      }
    },
  };
}

/** SQLITE_ERROR and SQLITE_AUTH: the statement is wrong or not permitted. */
function isRuleFault(error: unknown): error is Error {
  return error instanceof Error && "errcode" in error && (error.errcode === 1 || error.errcode === 23);
}

/** SQLite calls the authorizer while it compiles a statement, so it is installed only for that time. */
function compileReadOnly<T>(db: DatabaseSync, compile: () => T): T {
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
  // `COUNT(*)` reads without a column, also over a subquery that the rule has named itself.
  return column === "" || (table !== null && Object.hasOwn(LEDGER_TABLES, table));
}
