import { CST, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseAllDocuments, parseDocument } from "yaml";

/** What a text may cost its reader: the parser's time grows faster than the text, so it is counted before. */
export type YamlBounds = {
  readonly chars: number;
  /** Keys, values and signs. */
  readonly tokens: number;
  readonly depth: number;
  /** Each of them is looked for in all that stands before it. */
  readonly aliases: number;
};

/** Settings, plans and workflows that people keep are a hundredth of this. */
export const YAML_BOUNDS: YamlBounds = { chars: 256 * 1024, tokens: 60_000, depth: 64, aliases: 1_000 };

/** Aliases let ten bytes stand for any number of values: counted is what a walk through the value would meet. */
const MOST_VALUES = 100_000;

export type YamlRead =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      /** In plain words, with the line where there is one. */
      readonly problem: string;
      /** The same without the line. */
      readonly fault: string;
      readonly line?: number;
      /** Longer than what is read: data, of which nothing is known. */
      readonly tooLong?: true;
    };
type YamlRefusal = Extract<YamlRead, { ok: false }>;

type Options = {
  readonly bounds?: YamlBounds;
  /** `failsafe`: every scalar is the text that it was written as. */
  readonly schema?: "core" | "failsafe";
  /** Whether a key that stands twice in a mapping is a fault. */
  readonly uniqueKeys?: boolean;
};

/**
 * The only reader of YAML that an agent, a repository or anybody else wrote. Contract: never throws, ends in time that
 * grows with the bounds alone, and its value is a finite tree that any walk comes to the end of.
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
    if (twice) return failed(`the key "${twice.key.slice(0, 80)}" stands there twice`, lineOf(twice.at));
    return finite(document.toJS({ maxAliasCount: -1 }), bounds.depth);
  } catch (error) {
    return thrown(error);
  }
}

/** What is wrong with a file of one document or several; undefined also for what is longer than what is read. */
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

/** Whatever a directive in the text asks for: no schema of its own, no merging, no tags that build other things. */
const OPTIONS = {
  version: "1.2",
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** Why a text is not given to the parser at all; undefined where it may be. */
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
    if (count > tokens) return tooLong(`it has more than ${tokens} keys, values and signs`);
    if (named > aliases) return failed(`it has more than ${aliases} aliases`, line);
    if (depthAt(type) > depth) return failed(`it is nested deeper than ${depth} levels`, line);
  }
  return undefined;
}

/** Of every token what it is. */
export function* tokenTypes(text: string): Generator<string> {
  let scalar = false;
  for (const token of new Lexer().lex(text)) {
    // The lexer announces a plain scalar; the token behind it is text, whatever it looks like.
    const type: string = scalar ? "text" : (CST.tokenType(token) ?? "text");
    scalar = type === "scalar";
    yield type;
  }
}

/** Brackets nest across lines, `- `, `? ` and `key: ` also within one; indentation alone is too slow to go deep. */
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

/** The parser's own search compares each key with all others. */
function repeatedKey(top: unknown): DuplicateKey | undefined {
  const waiting: unknown[] = [top];
  // The list grows while it is walked.
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
  if (left < 0) return failed(`its aliases stand for more than ${MOST_VALUES} values`);
  return failed(`it is nested deeper than ${depth} levels, or an alias stands for itself`);
}

function tooLong(what: string): YamlRefusal {
  const problem = `${what}, which is more than is read`;
  return { ok: false, problem, fault: problem, tooLong: true };
}

function failed(what: string, line?: number): YamlRefusal {
  if (line === undefined) return { ok: false, problem: what, fault: what };
  return { ok: false, problem: `line ${line}: ${what}`, fault: what, line };
}

/** The parser recurses: what is nested in ways that were not counted ends up here. */
function thrown(error: unknown): YamlRefusal {
  return failed(firstLine(error instanceof Error ? error.message : String(error)));
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function firstLine(message: string): string {
  const [line = ""] = message.split("\n");
  // Where the stack ended says something about the machine, not about the file.
  return line.includes("call stack") ? "it is nested too deeply" : line.slice(0, 200);
}
