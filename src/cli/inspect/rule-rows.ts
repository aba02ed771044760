import type { SqlRule } from "../../core/authoring/rule.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { LEDGER_TABLES, type LedgerTable } from "../../core/journal/ledger.ts";
import type { LedgerValue } from "../../core/journal/ledger-rows.ts";
import type { Json } from "../../core/text/json.ts";
import type { DerivedLedger } from "../../hosts/ledger/derived-ledger.ts";
import { selectRows } from "./stored-rows.ts";

/** A row with the sequence number of the record it is derived from. */
type RuleRow = { readonly record: number; readonly values: readonly LedgerValue[] };
export type RuleRows = { readonly table: LedgerTable; readonly rows: readonly RuleRow[]; readonly more: boolean };

const MAX_ROWS = 100;

/** Returns the rows that a rule counts: those that its own conditions select. */
export async function selectRuleRows(
  ledger: DerivedLedger,
  rule: SqlRule,
  params: Readonly<Record<string, Json>>,
): Promise<readonly RuleRows[]> {
  const seen: RuleRows[] = [];
  for (const source of parseSources(rule.sql)) {
    try {
      const { table } = source;
      const found = await selectRows(ledger, { ...source, params }, MAX_ROWS + 1);
      const rows = found.slice(0, MAX_ROWS).map(({ id, values }) => ({ record: ledger.recordOf(table, id), values }));
      seen.push({ table, rows, more: found.length > MAX_ROWS });
    } catch (error) {
      // A condition that refers to the surrounding query cannot be evaluated alone.
      if (!(error instanceof SignalboxError) || error.code !== "RULE_INVALID") throw error;
    }
  }
  return seen;
}

type RuleSource = { readonly table: LedgerTable; readonly alias: string; readonly where: string };

const SOURCE = new RegExp(
  `\\bFROM\\s+(${Object.keys(LEDGER_TABLES).join("|")})(?:\\s+(?:AS\\s+)?(?!WHERE\\b)(\\w+))?\\s+WHERE\\s`,
  "gi",
);

/** Finds each `FROM table alias WHERE condition` in a query. */
export function parseSources(sql: string): readonly RuleSource[] {
  return [...sql.matchAll(SOURCE)].map((match) => {
    const [all, table = "", alias = table] = match;
    // The pattern matches only table names of the ledger.
    return { table: table.toLowerCase() as LedgerTable, alias, where: readCondition(sql, match.index + all.length) };
  });
}

const ENDS = /^(?:group\s+by|having|order\s+by|limit|union|intersect|except)\b/i;

/** Returns the text up to the closing bracket, or to the keyword that ends the conditions. */
function readCondition(sql: string, start: number): string {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < sql.length; at += 1) {
    const char = sql.charAt(at);
    if (char === "'") quoted = !quoted;
    if (quoted) continue;
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    const ends = depth === 0 && /\s/.test(sql.charAt(at - 1)) && ENDS.test(sql.slice(at, at + 20));
    if (depth < 0 || ends) return sql.slice(start, at).trim();
  }
  return sql.slice(start).trim();
}
