import type { RuleParameters } from "../../ledger/rule-text.ts";

export type NumberedText = { readonly text: string; readonly values: readonly (string | number)[] };

/** Everything in which a colon is not a parameter, then the parameter itself. */
const PIECES = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|;|:([a-z_]+)/g;

/** One statement with `:named` parameters as Postgres wants it: `$1`, `$2` …, one number per name. */
export function numbered(sql: string, params: RuleParameters): NumberedText {
  const places = new Map<string, number>();
  const values: (string | number)[] = [];
  const text = sql.replaceAll(PIECES, (piece: string, name: string | undefined) => {
    // The text is put inside another query, where its closing semicolon has no place.
    if (piece === ";") return "";
    if (name === undefined) return piece;
    const value = params[name];
    // A null that is a parameter has no type of its own where nothing else gives it one; the word always has.
    if (value === null || value === undefined) return "NULL";
    const place = places.get(name) ?? values.push(value);
    places.set(name, place);
    return `$${place}`;
  });
  return { text, values };
}
