import { isMap, isScalar, isSeq, parseDocument, type YAMLParseError } from "yaml";
import type { Json } from "../../text/json.ts";
import { createDepthMeter, readTokenTypes } from "../../text/outside-yaml.ts";
import { checkKey, MOST_DEPTH, TOO_DEEP, type Tree } from "../block.ts";
import { cut, locateOffset, type Problem, show, WHOLE } from "../problem.ts";
import type { Shape } from "../shape.ts";
import { repairYaml } from "./repair-yaml.ts";
import { collectTextNames, isTextOnly } from "./text-names.ts";

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
  const refused = findTokenProblem(text);
  const strict = refused ? createFailedTree(refused) : composeYaml(text, shape);
  // YAML reads `#tail` in `keeps #tail` as a comment. An agent never means that in a text.
  const cutShort = strict.ok && HASH_IN_TEXT.test(text);
  if ((strict.ok && !cutShort) || (refused && refused.found !== ALIAS)) return strict;
  const mended = repairYaml(text, collectTextNames(shape));
  if (mended === undefined || findTokenProblem(mended)) return strict;
  const second = composeYaml(mended, shape);
  return second.ok ? second : strict;
}

function composeYaml(text: string, shape: Shape): Tree {
  // The parser's own test for duplicate keys compares each key with all others; `keyProblem` needs one lookup.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, schema: "core", logLevel: "silent" });
  const [error] = document.errors;
  if (error) return createFailedTree(toSyntaxProblem(text, error));
  return toTree(document.contents, { text, shape, levels: MOST_DEPTH });
}

function toSyntaxProblem(text: string, { message, code, pos: [offset] }: YAMLParseError): Problem {
  const place = locateOffset(text, offset);
  const [, field = WHOLE] = /^[ \t]*(?:- +)*["']?([A-Za-z_][\w-]*)["']?[ \t]*:/.exec(place.excerpt) ?? [];
  return { ...createYamlProblem(message), field, ...place, advice: ADVICE.get(code) ?? IN_BLOCKS };
}

const IN_BLOCKS = "for text with a colon, a quote or a #, write | after the key and the text below it, indented";
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["TAB_AS_INDENT", "indent with spaces, not tabs"],
  ["BAD_INDENT", "indent lines of one level by the same number of spaces"],
]);

/** Checked before parsing, because the parser recurses and deep nesting would overflow the stack. */
function findTokenProblem(text: string): Problem | undefined {
  const depthAt = createDepthMeter();
  let count = 0;
  for (const type of readTokenTypes(text)) {
    count += 1;
    if (count > MOST_TOKENS) return createYamlProblem(`more than ${MOST_TOKENS} tokens`);
    const refused = REFUSED_TOKENS.get(type);
    if (refused)
      return { field: WHOLE, expected: "YAML without anchors, aliases, tags and directives", found: refused };
    if (depthAt(type) > MOST_DEPTH) return TOO_DEEP;
  }
  return undefined;
}

type TreeContext = { readonly text: string; readonly shape: Shape | undefined; readonly levels: number };

function toTree(node: unknown, context: TreeContext): Tree {
  const { shape, levels } = context;
  if (node === null || node === undefined) return { ok: true, value: null };
  const written = shape && isTextOnly(shape) ? findTextSource(node, context.text) : undefined;
  if (written !== undefined) return { ok: true, value: written };
  if (isScalar(node)) return toScalarTree(node.value);
  if (levels === 0) return createFailedTree(TOO_DEEP);
  const below = { ...context, levels: levels - 1 };
  if (isMap(node)) return toMapTree(node.items, below);
  return isSeq(node)
    ? toListTree(node.items, below)
    : createFailedTree(createYamlProblem("a value of an unknown kind"));
}

/** Returns the source text if YAML parsed it as a number, a boolean or `name: value`. */
function findTextSource(node: unknown, text: string): string | undefined {
  if (isScalar(node)) {
    const isOther = typeof node.value === "number" || typeof node.value === "boolean";
    return isOther ? node.source : undefined;
  }
  if (!isMap(node) || node.flow || !node.range || node.items.length !== 1) return undefined;
  const source = text.slice(node.range[0], node.range[1]).trim();
  return source.includes("\n") ? undefined : source;
}

function toMapTree(pairs: readonly { key: unknown; value: unknown }[], context: TreeContext): Tree {
  const entries: [string, Json][] = [];
  const known = new Set<string>();
  const fields = context.shape?.fields();
  for (const { key, value } of pairs) {
    if (!isScalar(key))
      return createFailedTree({ field: WHOLE, expected: "names as keys", found: "a structure as a key" });
    const name = getScalarSource(key);
    const problem = checkKey(name, known);
    if (problem) return createFailedTree(problem);
    const shape = fields?.get(name)?.shape ?? context.shape?.values();
    const tree =
      VERBATIM.has(name) && isScalar(value)
        ? { ok: true as const, value: getScalarSource(value) }
        : toTree(value, { ...context, shape });
    if (!tree.ok) return tree;
    entries.push([name, tree.value]);
  }
  return { ok: true, value: Object.fromEntries(entries) };
}

function toListTree(items: readonly unknown[], context: TreeContext): Tree {
  const list: Json[] = [];
  const shape = context.shape?.items();
  for (const item of items) {
    const tree = toTree(item, { ...context, shape });
    if (!tree.ok) return tree;
    list.push(tree.value);
  }
  return { ok: true, value: list };
}

function toScalarTree(value: unknown): Tree {
  if (typeof value === "number" && !Number.isFinite(value)) return createFailedTree(createYamlProblem(show(value)));
  // The cast is true: the core schema resolves scalars only to text, numbers, booleans and null.
  return { ok: true, value: value as Json };
}

function getScalarSource(scalar: { value: unknown; source?: string }): string {
  return typeof scalar.value === "string" ? scalar.value : (scalar.source ?? String(scalar.value));
}

function createYamlProblem(found: string): Problem {
  return { field: WHOLE, expected: "YAML that holds plain data", found: cut(found) };
}

function createFailedTree(problem: Problem): Tree {
  return { ok: false, problem };
}
