import type { Json } from "../../text/json.ts";
import { contradictionsIn } from "../as-meant.ts";
import { type Block, ENOUGH_BLOCKS, MOST_DEPTH, type Search, TOO_DEEP, tooLarge } from "../block.ts";
import { cut, type Problem, placeIn, WHOLE } from "../problem.ts";
import type { Shape } from "../shape.ts";
import { ESCAPE, parseJson } from "./json-tree.ts";

/** Strings never span lines in JSON; one that does is left open and ends the object it stands in. Comments say nothing. */
const TOKEN = /"[^"\\\n]*(?:\\.[^"\\\n]*)*("?)|[{}[\]]|\/\/[^\n]*/g;

const STEPS: ReadonlyMap<string, number> = new Map([
  ["{", 1],
  ["[", 1],
  ["}", -1],
  ["]", -1],
]);

type Span = { readonly end: number; readonly carries: boolean; readonly problem?: Problem };

/**
 * Objects that begin a line, fenced or not, and whose own `nonce` is the dispatch's.
 *
 * Linear: a complete object is passed over once; an incomplete one is given up at the depth limit, so no
 * character is looked at by more objects than that limit.
 */
export function jsonBlocks({ text, nonce, shape }: Search): readonly Block[] {
  const blocks: Block[] = [];
  const starts = /(?<=^|\n)[ \t]*\{(?=\s*["}])/g;
  while (blocks.length < ENOUGH_BLOCKS) {
    const start = starts.exec(text);
    if (!start) break;
    const from = starts.lastIndex - 1;
    const span = spanOf({ text, from, nonce });
    const block = blockOf(text.slice(from, span.end), span, { nonce, shape });
    if (block) blocks.push(block);
    if (!span.problem) starts.lastIndex = span.end;
  }
  return blocks;
}

export function jsonText(fields: Json, nonce: string, signature: string | undefined): string {
  return JSON.stringify({ nonce, ...(signature === undefined ? {} : { signature }), contract: fields }, null, 2);
}

function spanOf({ text, from, nonce }: { text: string; from: number; nonce: string }): Span {
  const own = ownNonce(nonce);
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
    if (depth === 0) return { end, carries, ...trailing(text, end) };
  }
  return { end: text.length, carries, problem: broken("an object that is left open") };
}

/** Sees `"nonce"` and then its value; for objects that are too broken to be parsed. */
function ownNonce(nonce: string): (token: string) => boolean {
  const value = JSON.stringify(nonce);
  let before = "";
  return (token) => {
    const seen = before === '"nonce"' && token === value;
    before = token;
    return seen;
  };
}

function openString(text: string, offset: number): Problem {
  return { ...broken("a string that is left open"), ...placeIn(text, offset), advice: ESCAPE };
}

function trailing(text: string, end: number): { problem?: Problem } {
  const newline = text.indexOf("\n", end);
  const rest = text.slice(end, newline < 0 ? text.length : newline).trim();
  return rest === "" ? {} : { problem: { ...broken(cut(rest)), expected: "nothing behind the contract's last brace" } };
}

function broken(found: string): Problem {
  return { field: WHOLE, expected: "a complete JSON object", found };
}

function blockOf(text: string, span: Span, { nonce, shape }: Omit<Search, "text">): Block | undefined {
  const problem = span.problem ?? tooLarge(text);
  if (problem) return span.carries ? { text, problems: [problem] } : undefined;
  const tree = parseJson(text);
  if (!tree.ok) return span.carries ? { text, problems: [tree.problem] } : undefined;
  // A text that begins with a brace and parses is an object.
  const envelope = tree.value as { readonly [key: string]: Json };
  if (envelope["nonce"] !== nonce) return undefined;
  const { nonce: _own, signature, ...rest } = envelope;
  // Some leave the wrapper out; then what stands beside the nonce is the contract.
  const contract = "contract" in rest || Object.keys(rest).length === 0 ? rest["contract"] : rest;
  return {
    text,
    problems: contract === rest["contract"] ? besideContract(rest, shape) : [],
    ...(contract === undefined ? {} : { fields: contract }),
    ...(signature === undefined ? {} : { signature: String(signature) }),
  };
}

/** A field of the contract that stands beside it as well, in other words: nobody can say which of them is meant. */
function besideContract({ contract, ...beside }: { readonly [key: string]: Json }, shape: Shape): readonly Problem[] {
  // Whatever is no object has no fields that could be said twice.
  const inside =
    typeof contract === "object" && contract !== null ? (contract as { readonly [key: string]: Json }) : {};
  return contradictionsIn(Object.fromEntries([...marked(inside, ""), ...marked(beside, BESIDE)]), shape);
}

/** `folded` leaves it out of a word, so that both keys have the same. */
const BESIDE = "**";

const marked = (members: { readonly [key: string]: Json }, mark: string): [string, Json][] =>
  Object.entries(members).map(([key, value]) => [`${mark}${key}${mark}`, value]);
