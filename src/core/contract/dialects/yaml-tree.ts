import { isMap, isScalar, isSeq, parseDocument, type YAMLParseError } from "yaml";
import type { Json } from "../../text/json.ts";
import { depthMeter, tokenTypes } from "../../text/outside-yaml.ts";
import { keyProblem, MOST_DEPTH, TOO_DEEP, type Tree } from "../block.ts";
import { cut, type Problem, placeIn, show, WHOLE } from "../problem.ts";
import type { Shape } from "../shape.ts";
import { mendedYaml } from "./mend-yaml.ts";
import { isTextOnly, textNames } from "./text-names.ts";

/** A contract of the maximum size needs far fewer. Each token costs the parser microseconds. */
const MOST_TOKENS = 50_000;

const ALIAS = "an alias";

/** A comment has a space after its hash, as in the forms of the prompt. */
const HASH_IN_TEXT = /\S[ \t]+#[^\s#]/;

/** Tokens that plain data does not need and that can give a short text another meaning. */
const REFUSED_TOKENS: ReadonlyMap<string, string> = new Map([
  ["alias", ALIAS],
  ["anchor", "an anchor"],
  ["tag", "a tag"],
  ["directive-line", "a directive"],
  ["explicit-key-ind", "an explicit key"],
]);

/** Read as written: a nonce of digits stays the nonce. */
const VERBATIM: ReadonlySet<string> = new Set(["nonce", "signature"]);

/**
 * Parses plain data: mappings, lists and scalars, every key once. Nothing in the answer can expand or execute. The
 * schema decides: where only text is valid, `12` and `- a: b` are text.
 */
export function parseYaml(text: string, shape: Shape): Tree {
  const refused = tokenProblem(text);
  const strict = refused ? failed(refused) : composed(text, shape);
  // YAML reads `#tail` in `keeps #tail` as a comment. An agent never means that in a text.
  const cutShort = strict.ok && HASH_IN_TEXT.test(text);
  if ((strict.ok && !cutShort) || (refused && refused.found !== ALIAS)) return strict;
  const mended = mendedYaml(text, textNames(shape));
  if (mended === undefined || tokenProblem(mended)) return strict;
  const second = composed(mended, shape);
  return second.ok ? second : strict;
}

function composed(text: string, shape: Shape): Tree {
  // The parser's own test for duplicate keys compares each key with all others; `keyProblem` needs one lookup.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, schema: "core", logLevel: "silent" });
  const [error] = document.errors;
  if (error) return failed(syntaxProblem(text, error));
  return treeOf(document.contents, { text, shape, levels: MOST_DEPTH });
}

function syntaxProblem(text: string, { message, code, pos: [offset] }: YAMLParseError): Problem {
  const place = placeIn(text, offset);
  const [, field = WHOLE] = /^[ \t]*(?:- +)*["']?([A-Za-z_][\w-]*)["']?[ \t]*:/.exec(place.excerpt) ?? [];
  return { ...notYaml(message), field, ...place, advice: ADVICE.get(code) ?? IN_BLOCKS };
}

const IN_BLOCKS = "for text with a colon, a quote or a #, write | after the key and the text below it, indented";
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["TAB_AS_INDENT", "indent with spaces, not tabs"],
  ["BAD_INDENT", "indent lines of one level by the same number of spaces"],
]);

/** Checked before parsing, because the parser recurses and deep nesting would overflow the stack. */
function tokenProblem(text: string): Problem | undefined {
  const depthAt = depthMeter();
  let count = 0;
  for (const type of tokenTypes(text)) {
    count += 1;
    if (count > MOST_TOKENS) return notYaml(`more than ${MOST_TOKENS} tokens`);
    const refused = REFUSED_TOKENS.get(type);
    if (refused)
      return { field: WHOLE, expected: "YAML without anchors, aliases, tags and directives", found: refused };
    if (depthAt(type) > MOST_DEPTH) return TOO_DEEP;
  }
  return undefined;
}

type Context = { readonly text: string; readonly shape: Shape | undefined; readonly levels: number };

function treeOf(node: unknown, context: Context): Tree {
  const { shape, levels } = context;
  if (node === null || node === undefined) return { ok: true, value: null };
  const written = shape && isTextOnly(shape) ? sourceOfText(node, context.text) : undefined;
  if (written !== undefined) return { ok: true, value: written };
  if (isScalar(node)) return scalarOf(node.value);
  if (levels === 0) return failed(TOO_DEEP);
  const below = { ...context, levels: levels - 1 };
  if (isMap(node)) return mapOf(node.items, below);
  return isSeq(node) ? listOf(node.items, below) : failed(notYaml("a value of an unknown kind"));
}

/** Returns the source text if YAML parsed it as a number, a boolean or `name: value`. */
function sourceOfText(node: unknown, text: string): string | undefined {
  if (isScalar(node)) {
    const isOther = typeof node.value === "number" || typeof node.value === "boolean";
    return isOther ? node.source : undefined;
  }
  if (!isMap(node) || node.flow || !node.range || node.items.length !== 1) return undefined;
  const source = text.slice(node.range[0], node.range[1]).trim();
  return source.includes("\n") ? undefined : source;
}

function mapOf(pairs: readonly { key: unknown; value: unknown }[], context: Context): Tree {
  const entries: [string, Json][] = [];
  const known = new Set<string>();
  const fields = context.shape?.fields();
  for (const { key, value } of pairs) {
    if (!isScalar(key)) return failed({ field: WHOLE, expected: "names as keys", found: "a structure as a key" });
    const name = sourceOf(key);
    const problem = keyProblem(name, known);
    if (problem) return failed(problem);
    const shape = fields?.get(name)?.shape ?? context.shape?.values();
    const tree =
      VERBATIM.has(name) && isScalar(value)
        ? { ok: true as const, value: sourceOf(value) }
        : treeOf(value, { ...context, shape });
    if (!tree.ok) return tree;
    entries.push([name, tree.value]);
  }
  return { ok: true, value: Object.fromEntries(entries) };
}

function listOf(items: readonly unknown[], context: Context): Tree {
  const list: Json[] = [];
  const shape = context.shape?.items();
  for (const item of items) {
    const tree = treeOf(item, { ...context, shape });
    if (!tree.ok) return tree;
    list.push(tree.value);
  }
  return { ok: true, value: list };
}

function scalarOf(value: unknown): Tree {
  if (typeof value === "number" && !Number.isFinite(value)) return failed(notYaml(show(value)));
  // The cast is true: the core schema resolves scalars only to text, numbers, booleans and null.
  return { ok: true, value: value as Json };
}

function sourceOf(scalar: { value: unknown; source?: string }): string {
  return typeof scalar.value === "string" ? scalar.value : (scalar.source ?? String(scalar.value));
}

function notYaml(found: string): Problem {
  return { field: WHOLE, expected: "YAML that holds plain data", found: cut(found) };
}

function failed(problem: Problem): Tree {
  return { ok: false, problem };
}
