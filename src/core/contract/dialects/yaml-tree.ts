import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Json } from "../json.ts";
import { depthMeter, tokenTypes } from "../outside-yaml.ts";
import { keyProblem, MOST_DEPTH, TOO_DEEP, type Tree } from "./block.ts";
import { cut, type Problem, show, WHOLE } from "./problem.ts";

/** A contract of the largest allowed size needs far fewer; each one costs the parser microseconds. */
const MOST_TOKENS = 50_000;

/** Plain data has no use for these, and each of them lets a short text mean something else. */
const REFUSED_TOKENS: ReadonlyMap<string, string> = new Map([
  ["alias", "an alias"],
  ["anchor", "an anchor"],
  ["tag", "a tag"],
  ["directive-line", "a directive"],
  ["explicit-key-ind", "an explicit key"],
]);

/** Read as they were written: a nonce of digits is still the nonce. */
const VERBATIM: ReadonlySet<string> = new Set(["nonce", "signature"]);

/** Plain data in YAML: mappings, lists and scalars, every key once. Nothing in the answer can expand or execute. */
export function parseYaml(text: string): Tree {
  const refused = tokenProblem(text);
  if (refused) return { ok: false, problem: refused };
  // Its own test for duplicate keys compares each key with all others; `keyProblem` needs one look.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, schema: "core", logLevel: "silent" });
  const [error] = document.errors;
  if (error) return failed(notYaml(error.message));
  return treeOf(document.contents, MOST_DEPTH);
}

/** Before anything is composed: composing recurses, and deep nesting would exhaust the stack. */
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

function treeOf(node: unknown, levels: number): Tree {
  if (node === null || node === undefined) return { ok: true, value: null };
  if (isScalar(node)) return scalarOf(node.value);
  if (levels === 0) return failed(TOO_DEEP);
  if (isMap(node)) return mapOf(node.items, levels - 1);
  return isSeq(node) ? listOf(node.items, levels - 1) : failed(notYaml("a value of an unknown kind"));
}

function mapOf(pairs: readonly { key: unknown; value: unknown }[], levels: number): Tree {
  const entries: [string, Json][] = [];
  const known = new Set<string>();
  for (const { key, value } of pairs) {
    if (!isScalar(key)) return failed({ field: WHOLE, expected: "names as keys", found: "a structure as a key" });
    const name = sourceOf(key);
    const problem = keyProblem(name, known);
    if (problem) return failed(problem);
    const tree =
      VERBATIM.has(name) && isScalar(value) ? { ok: true as const, value: sourceOf(value) } : treeOf(value, levels);
    if (!tree.ok) return tree;
    entries.push([name, tree.value]);
  }
  return { ok: true, value: Object.fromEntries(entries) };
}

function listOf(items: readonly unknown[], levels: number): Tree {
  const list: Json[] = [];
  for (const item of items) {
    const tree = treeOf(item, levels);
    if (!tree.ok) return tree;
    list.push(tree.value);
  }
  return { ok: true, value: list };
}

function scalarOf(value: unknown): Tree {
  if (typeof value === "number" && !Number.isFinite(value)) return failed(notYaml(show(value)));
  // The core schema resolves scalars to text, numbers, booleans and null only.
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
