import type { Json } from "../../text/json.ts";
import { findContradictions } from "../adapt-value.ts";
import { type Block, checkBlockSize, ENOUGH_BLOCKS, MOST_DEPTH, type Search, TOO_DEEP } from "../block.ts";
import { cut, locateOffset, type Problem, WHOLE } from "../problem.ts";
import type { Shape } from "../shape.ts";
import { ESCAPE, parseJsonTree } from "./json-tree.ts";

/** JSON strings never span lines; an unterminated string ends the object that contains it. Comments are skipped. */
const TOKEN = /"[^"\\\n]*(?:\\.[^"\\\n]*)*("?)|[{}[\]]|\/\/[^\n]*/g;

const STEPS: ReadonlyMap<string, number> = new Map([
  ["{", 1],
  ["[", 1],
  ["}", -1],
  ["]", -1],
]);

type ObjectSpan = { readonly end: number; readonly carries: boolean; readonly problem?: Problem };

/**
 * Finds objects that start a line, fenced or not, and whose own `nonce` is the dispatch's. Linear: a complete object is
 * read once; an incomplete one is abandoned at the depth limit, so each character is read by at most that many objects.
 */
export function findJsonBlocks({ text, nonce, shape }: Search): readonly Block[] {
  const blocks: Block[] = [];
  const starts = /(?<=^|\n)[ \t]*\{(?=\s*["}])/g;
  while (blocks.length < ENOUGH_BLOCKS) {
    const start = starts.exec(text);
    if (!start) break;
    const from = starts.lastIndex - 1;
    const span = findObjectSpan({ text, from, nonce });
    const block = blockOf(text.slice(from, span.end), span, { nonce, shape });
    if (block) blocks.push(block);
    if (!span.problem) starts.lastIndex = span.end;
  }
  return blocks;
}

export function writeJsonContract(fields: Json, nonce: string, signature: string | undefined): string {
  return JSON.stringify({ nonce, ...(signature === undefined ? {} : { signature }), contract: fields }, null, 2);
}

function findObjectSpan({ text, from, nonce }: { text: string; from: number; nonce: string }): ObjectSpan {
  const own = createNonceDetector(nonce);
  let depth = 0;
  let carries = false;
  TOKEN.lastIndex = from;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const end = TOKEN.lastIndex;
    const step = STEPS.get(token[0]) ?? 0;
    depth += step;
    if (token[1] === "") return { end, carries, problem: openString(text.slice(from, end), token.index - from) };
    if (step === 0 && depth === 1) carries = own(token[0]) || carries;
    if (depth > MOST_DEPTH) return { end, carries, problem: TOO_DEEP };
    if (depth === 0) return { end, carries, ...checkTrailing(text, end) };
  }
  return { end: text.length, carries, problem: createJsonProblem("an unterminated object") };
}

/** Detects `"nonce"` followed by its value, for objects that cannot be parsed. */
function createNonceDetector(nonce: string): (token: string) => boolean {
  const value = JSON.stringify(nonce);
  let before = "";
  return (token) => {
    const seen = before === '"nonce"' && token === value;
    before = token;
    return seen;
  };
}

function openString(text: string, offset: number): Problem {
  return { ...createJsonProblem("an unterminated string"), ...locateOffset(text, offset), advice: ESCAPE };
}

function checkTrailing(text: string, end: number): { problem?: Problem } {
  const newline = text.indexOf("\n", end);
  const rest = text.slice(end, newline < 0 ? text.length : newline).trim();
  return rest === ""
    ? {}
    : { problem: { ...createJsonProblem(cut(rest)), expected: "nothing after the contract's last brace" } };
}

function createJsonProblem(found: string): Problem {
  return { field: WHOLE, expected: "a complete JSON object", found };
}

function blockOf(text: string, span: ObjectSpan, { nonce, shape }: Omit<Search, "text">): Block | undefined {
  const problem = span.problem ?? checkBlockSize(text);
  if (problem) return span.carries ? { text, problems: [problem] } : undefined;
  const tree = parseJsonTree(text);
  if (!tree.ok) return span.carries ? { text, problems: [tree.problem] } : undefined;
  // The cast is true: a text that starts with a brace and parses is an object.
  const envelope = tree.value as { readonly [key: string]: Json };
  if (envelope["nonce"] !== nonce) return undefined;
  const { nonce: _own, signature, ...rest } = envelope;
  // Some agents omit the wrapper. Then the members beside the nonce are the contract.
  const contract = "contract" in rest || Object.keys(rest).length === 0 ? rest["contract"] : rest;
  return {
    text,
    problems: contract === rest["contract"] ? findFieldsBesideContract(rest, shape) : [],
    ...(contract === undefined ? {} : { fields: contract }),
    ...(signature === undefined ? {} : { signature: String(signature) }),
  };
}

/** Reports fields of the contract that also exist beside it with other values, because either could be meant. */
function findFieldsBesideContract(
  { contract, ...beside }: { readonly [key: string]: Json },
  shape: Shape,
): readonly Problem[] {
  // A value that is not an object has no fields to repeat.
  const inside =
    typeof contract === "object" && contract !== null ? (contract as { readonly [key: string]: Json }) : {};
  return findContradictions(Object.fromEntries([...markKeys(inside, ""), ...markKeys(beside, BESIDE)]), shape);
}

/** `folded` removes it, so that both keys are equal. */
const BESIDE = "**";

const markKeys = (members: { readonly [key: string]: Json }, mark: string): [string, Json][] =>
  Object.entries(members).map(([key, value]) => [`${mark}${key}${mark}`, value]);
