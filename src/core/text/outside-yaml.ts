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
  const plain = removeMark(text);
  const refused = findBoundProblem(plain, bounds);
  if (refused) return refused;
  try {
    const lines = new LineCounter();
    const document = parseDocument(plain, { ...OPTIONS, schema, lineCounter: lines });
    const getLineNumber = (at: number): number => lines.linePos(at).line;
    const [error] = document.errors;
    if (error) return refuseYaml(shortenMessage(error.message), getLineNumber(error.pos[0]));
    const twice = uniqueKeys ? findRepeatedKey(document.contents) : undefined;
    if (twice) return refuseYaml(`the key "${twice.key.slice(0, 80)}" is defined twice`, getLineNumber(twice.at));
    return checkFinite(document.toJS({ maxAliasCount: -1 }), bounds.depth);
  } catch (error) {
    return toYamlRefusal(error);
  }
}

/** Finds the error in a file with one or more documents. Also undefined for a text over the size limit. */
export function findYamlFault(text: string): string | undefined {
  const plain = removeMark(text);
  const refused = findBoundProblem(plain, YAML_BOUNDS);
  if (refused) return refused.tooLong ? undefined : refused.problem;
  try {
    const lines = new LineCounter();
    const documents = parseAllDocuments(plain, { ...OPTIONS, lineCounter: lines });
    for (const { errors } of documents)
      for (const { message, pos } of errors)
        return refuseYaml(shortenMessage(message), lines.linePos(pos[0]).line).problem;
    return undefined;
  } catch (error) {
    return toYamlRefusal(error).problem;
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
export function findBoundProblem(text: string, { chars, tokens, depth, aliases }: YamlBounds): YamlRefusal | undefined {
  if (text.length > chars) return refuseLongYaml(`it is longer than ${chars} characters`);
  const depthAt = createDepthMeter();
  let count = 0;
  let named = 0;
  let line = 1;
  for (const type of readTokenTypes(text)) {
    count += 1;
    if (type === "newline") line += 1;
    if (type === "alias") named += 1;
    if (count > tokens) return refuseLongYaml(`it has more than ${tokens} keys, values and punctuation marks`);
    if (named > aliases) return refuseYaml(`it has more than ${aliases} aliases`, line);
    if (depthAt(type) > depth) return refuseYaml(`it is nested deeper than ${depth} levels`, line);
  }
  return undefined;
}

/** Yields the type of every token. */
export function* readTokenTypes(text: string): Generator<string> {
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
export function createDepthMeter(): (type: string) => number {
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
function findRepeatedKey(top: unknown): DuplicateKey | undefined {
  const waiting: unknown[] = [top];
  // The list grows during the traversal.
  for (const node of waiting) {
    const twice = isMap(node) ? findRepeatedPair(node.items) : undefined;
    if (twice) return twice;
    for (const inner of listChildNodes(node)) if (isNested(inner)) waiting.push(inner);
  }
  return undefined;
}

function listChildNodes(node: unknown): readonly unknown[] {
  if (isMap(node)) return node.items.map(({ value }) => value);
  return isSeq(node) ? node.items : [];
}

function findRepeatedPair(pairs: readonly { readonly key: unknown }[]): DuplicateKey | undefined {
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

function checkFinite(value: unknown, depth: number): YamlRead {
  let left = MOST_VALUES;
  const isWithinBounds = (inner: unknown, levels: number): boolean => {
    left -= 1;
    if (typeof inner !== "object" || inner === null) return left >= 0;
    return left >= 0 && levels > 0 && Object.values(inner).every((each) => isWithinBounds(each, levels - 1));
  };
  if (isWithinBounds(value, depth)) return { ok: true, value };
  if (left < 0) return refuseYaml(`its aliases expand to more than ${MOST_VALUES} values`);
  return refuseYaml(`it is nested deeper than ${depth} levels, or an alias refers to itself`);
}

function refuseLongYaml(what: string): YamlRefusal {
  const problem = `${what}, so it is not read`;
  return { ok: false, problem, fault: problem, tooLong: true };
}

function refuseYaml(what: string, line?: number): YamlRefusal {
  if (line === undefined) return { ok: false, problem: what, fault: what };
  return { ok: false, problem: `line ${line}: ${what}`, fault: what, line };
}

/** Handles the parser's stack overflow for nesting that was not counted. */
function toYamlRefusal(error: unknown): YamlRefusal {
  return refuseYaml(shortenMessage(error instanceof Error ? error.message : String(error)));
}

function removeMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function shortenMessage(message: string): string {
  const [line = ""] = message.split("\n");
  // The depth of the stack depends on the machine, not on the file.
  return line.includes("call stack") ? "it is nested too deeply" : line.slice(0, 200);
}
