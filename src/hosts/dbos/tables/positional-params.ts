import type { RuleParameters } from "../../ledger/rule-text.ts";

export type PositionalStatement = { readonly text: string; readonly values: readonly (string | number)[] };

/** Matches everything in which a colon is not a parameter, then the parameter itself. */
const PIECES = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|;|:([a-z_]+)/g;

/** Replaces `:named` parameters by `$1`, `$2` …, one number per name. */
export function bindPositional(sql: string, params: RuleParameters): PositionalStatement {
  const places = new Map<string, number>();
  const values: (string | number)[] = [];
  const text = sql.replaceAll(PIECES, (piece: string, name: string | undefined) => {
    // The text is placed inside another query, where a closing semicolon is a syntax error.
    if (piece === ";") return "";
    if (name === undefined) return piece;
    const value = params[name];
    // A null parameter has no type if nothing else determines it; the keyword always has one.
    if (value === null || value === undefined) return "NULL";
    const place = places.get(name) ?? values.push(value);
    places.set(name, place);
    return `$${place}`;
  });
  return { text, values };
}
