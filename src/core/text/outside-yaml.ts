import { CST, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseAllDocuments, parseDocument } from "yaml";

/** Limits of a text that is checked before parsing, because the parser's time grows faster than the text. */
export type YamlBounds = {
  readonly chars: number;
  /** Keys, values and punctuation. */
  readonly tokens: number;
  readonly depth: number;
  /** The parser searches everything before each alias. */
  readonly aliases: number;
};

/** Settings, plans and workflows in practice have a hundredth of this. */
export const YAML_BOUNDS: YamlBounds = { chars: 256 * 1024, tokens: 60_000, depth: 64, aliases: 1_000 };

/** Aliases let ten bytes stand for any number of values, so the values that a traversal would visit are counted. */
const MOST_VALUES = 100_000;

export type YamlRead =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      /** Plain sentence, with the line if there is one. */
      readonly problem: string;
      /** The same without the line. */
      readonly fault: string;
      readonly line?: number;
      /** Over the size limit: data that is not read. */
      readonly tooLong?: true;
    };
type YamlRefusal = Extract<YamlRead, { ok: false }>;

type Options = {
  readonly bounds?: YamlBounds;
  /** `failsafe`: every scalar is the text as written. */
  readonly schema?: "core" | "failsafe";
  /** Makes a duplicate key in a mapping an error. */
  readonly uniqueKeys?: boolean;
};

/**
 * Reads YAML from an agent, a repository or any other external source. All such YAML goes through here.
 *
 * Contract: never throws, takes time that depends on the limits alone, and returns a finite tree that any traversal
 * completes.
 */
export function readYaml(
  text: string,
  { bounds = YAML_BOUNDS, schema = "core", uniqueKeys = true }: Options = {},
): YamlRead {
  const plain = withoutMark(text);
  const refused = boundProblem(plain, bounds);
  if (refused) return refused;
  try {
    const lines = new LineCounter();
    const document = parseDocument(plain, { ...OPTIONS, schema, lineCounter: lines });
    const lineOf = (at: number): number => lines.linePos(at).line;
    const [error] = document.errors;
    if (error) return failed(firstLine(error.message), lineOf(error.pos[0]));
    const twice = uniqueKeys ? repeatedKey(document.contents) : undefined;
    if (twice) return failed(`the key "${twice.key.slice(0, 80)}" is defined twice`, lineOf(twice.at));
    return finite(document.toJS({ maxAliasCount: -1 }), bounds.depth);
  } catch (error) {
    return thrown(error);
  }
}

/** Finds the error in a file with one or more documents. Also undefined for a text over the size limit. */
export function yamlFault(text: string): string | undefined {
  const plain = withoutMark(text);
  const refused = boundProblem(plain, YAML_BOUNDS);
  if (refused) return refused.tooLong ? undefined : refused.problem;
  try {
    const lines = new LineCounter();
    const documents = parseAllDocuments(plain, { ...OPTIONS, lineCounter: lines });
    for (const { errors } of documents)
      for (const { message, pos } of errors) return failed(firstLine(message), lines.linePos(pos[0]).line).problem;
    return undefined;
  } catch (error) {
    return thrown(error).problem;
  }
}

/** Ignores directives in the text: no custom schema, no merge keys, no tags that build other objects. */
const OPTIONS = {
  version: "1.2",
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** Returns why a text must not be parsed; undefined if it may. */
export function boundProblem(text: string, { chars, tokens, depth, aliases }: YamlBounds): YamlRefusal | undefined {
  if (text.length > chars) return tooLong(`it is longer than ${chars} characters`);
  const depthAt = depthMeter();
  let count = 0;
  let named = 0;
  let line = 1;
  for (const type of tokenTypes(text)) {
    count += 1;
    if (type === "newline") line += 1;
    if (type === "alias") named += 1;
    if (count > tokens) return tooLong(`it has more than ${tokens} keys, values and punctuation marks`);
    if (named > aliases) return failed(`it has more than ${aliases} aliases`, line);
    if (depthAt(type) > depth) return failed(`it is nested deeper than ${depth} levels`, line);
  }
  return undefined;
}

/** Yields the type of every token. */
export function* tokenTypes(text: string): Generator<string> {
  let scalar = false;
  for (const token of new Lexer().lex(text)) {
    // The lexer announces a plain scalar; the token after it is text, whatever it looks like.
    const type: string = scalar ? "text" : (CST.tokenType(token) ?? "text");
    scalar = type === "scalar";
    yield type;
  }
}

/**
 * Counts nesting: brackets across lines; `- `, `? ` and `key: ` also within one line. Indentation alone cannot nest
 * quickly.
 */
export function depthMeter(): (type: string) => number {
  let flow = 0;
  let onLine = 0;
  return (type) => {
    if (type === "newline") onLine = 0;
    else if (type === "flow-map-start" || type === "flow-seq-start") flow += 1;
    else if (type === "flow-map-end" || type === "flow-seq-end") flow -= 1;
    else if (type === "seq-item-ind" || type === "explicit-key-ind") onLine += 1;
    else if (type === "map-value-ind" && flow <= 0) onLine += 1;
    return Math.max(flow, onLine);
  };
}

type DuplicateKey = { readonly key: string; readonly at: number };

/** Replaces the parser's own search, which compares each key with all others. */
function repeatedKey(top: unknown): DuplicateKey | undefined {
  const waiting: unknown[] = [top];
  // The list grows during the traversal.
  for (const node of waiting) {
    const twice = isMap(node) ? repeatedIn(node.items) : undefined;
    if (twice) return twice;
    for (const inner of insideOf(node)) if (isNested(inner)) waiting.push(inner);
  }
  return undefined;
}

function insideOf(node: unknown): readonly unknown[] {
  if (isMap(node)) return node.items.map(({ value }) => value);
  return isSeq(node) ? node.items : [];
}

function repeatedIn(pairs: readonly { readonly key: unknown }[]): DuplicateKey | undefined {
  const known = new Set<string>();
  for (const { key } of pairs) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (known.has(name)) return { key: name, at: key.range?.[0] ?? 0 };
    known.add(name);
  }
  return undefined;
}

function isNested(node: unknown): boolean {
  return !isAlias(node) && (isMap(node) || isSeq(node));
}

function finite(value: unknown, depth: number): YamlRead {
  let left = MOST_VALUES;
  const fits = (inner: unknown, levels: number): boolean => {
    left -= 1;
    if (typeof inner !== "object" || inner === null) return left >= 0;
    return left >= 0 && levels > 0 && Object.values(inner).every((each) => fits(each, levels - 1));
  };
  if (fits(value, depth)) return { ok: true, value };
  if (left < 0) return failed(`its aliases expand to more than ${MOST_VALUES} values`);
  return failed(`it is nested deeper than ${depth} levels, or an alias refers to itself`);
}

function tooLong(what: string): YamlRefusal {
  const problem = `${what}, so it is not read`;
  return { ok: false, problem, fault: problem, tooLong: true };
}

function failed(what: string, line?: number): YamlRefusal {
  if (line === undefined) return { ok: false, problem: what, fault: what };
  return { ok: false, problem: `line ${line}: ${what}`, fault: what, line };
}

/** Handles the parser's stack overflow for nesting that was not counted. */
function thrown(error: unknown): YamlRefusal {
  return failed(firstLine(error instanceof Error ? error.message : String(error)));
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function firstLine(message: string): string {
  const [line = ""] = message.split("\n");
  // The depth of the stack depends on the machine, not on the file.
  return line.includes("call stack") ? "it is nested too deeply" : line.slice(0, 200);
}
