/**
 * Finds an obvious error in a TOML text. Not a full parser: it knows tables, keys, multi-line strings and open
 * brackets, where edits usually fail. Values are not checked.
 */
export function findTomlProblem(text: string): string | undefined {
  const tables = new Set<string>();
  let open: TomlOpen = { quote: "", brackets: 0 };
  for (const [index, line] of text.split("\n").entries()) {
    const inside = open.quote !== "" || open.brackets > 0;
    const problem = inside ? undefined : findLineProblem(line.trim(), tables);
    if (problem) return `line ${index + 1}: ${problem}`;
    const after = scanToml(line, open);
    if (typeof after === "string") return `line ${index + 1}: ${after}`;
    open = after;
  }
  if (open.quote !== "") return "a string of several lines is never closed";
  return open.brackets > 0 ? "a bracket is never closed" : undefined;
}

export type TomlOpen = { readonly quote: string; readonly brackets: number };

function findLineProblem(line: string, tables: Set<string>): string | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  if (!line.startsWith("[")) return findKeyProblem(line);
  if (line.startsWith("[[")) return line.includes("]]") ? undefined : "the table's name is not closed";
  const end = line.indexOf("]");
  if (end < 0) return "the table's name is not closed";
  // A quoted name may contain a bracket, and two such names can look equal here.
  const name = line.slice(0, end);
  if (tables.has(name) && !/["']/.test(name)) return `the table ${name}] is defined twice`;
  tables.add(name);
  return undefined;
}

function findKeyProblem(line: string): string | undefined {
  const equals = line.indexOf("=");
  if (equals < 0) return "neither a table nor `key = value`";
  if (equals === 0) return "a value without a key";
  const value = line.slice(equals + 1).trim();
  return value === "" || value.startsWith("#") ? "a key without a value" : undefined;
}

/** Returns the open strings and brackets at the end of the line, or the error. */
export function scanToml(line: string, from: TomlOpen): TomlOpen | string {
  let at = from.quote === "" ? 0 : findStringEnd(line, 0, from.quote);
  let brackets = from.brackets;
  while (at < line.length && line.charAt(at) !== "#") {
    const quote = quoteAt(line, at);
    if (quote === "") {
      brackets += weighBracket(line.charAt(at));
      if (brackets < 0) return "a bracket is closed that was never opened";
      at += 1;
      continue;
    }
    at = findStringEnd(line, at + quote.length, quote);
    if (at <= line.length) continue;
    return quote.length === 1 ? "a string is not closed" : { quote, brackets };
  }
  return { quote: at > line.length ? from.quote : "", brackets };
}

function weighBracket(char: string): number {
  if (char === "[" || char === "{") return 1;
  return char === "]" || char === "}" ? -1 : 0;
}

function quoteAt(line: string, at: number): string {
  const char = line.charAt(at);
  if (char !== '"' && char !== "'") return "";
  const triple = char.repeat(3);
  return line.startsWith(triple, at) ? triple : char;
}

/** Returns the index after the closing quote, or beyond the line if there is none. */
function findStringEnd(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at += 1) {
    if (line.charAt(at) === "\\" && quote.startsWith('"')) at += 1;
    else if (line.startsWith(quote, at)) return at + quote.length;
  }
  return line.length + 1;
}
