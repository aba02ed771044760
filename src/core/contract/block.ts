import type { Json } from "../text/json.ts";
import { type Problem, WHOLE } from "./problem.ts";
import type { Shape } from "./shape.ts";

/** Part of the final message that repeats the dispatch's nonce. */
export type Block = {
  readonly text: string;
  /** Fields of the contract as written, before validation by the role's schema. */
  readonly fields?: Json;
  /** Signature exactly as written. */
  readonly signature?: string;
  /** Reasons why the fields cannot or must not be read. */
  readonly problems: readonly Problem[];
};

export type Search = { readonly text: string; readonly nonce: string; readonly shape: Shape };

/** Parsed data of a block, or the reason why it is invalid. */
export type Tree = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: Problem };

export const MOST_BYTES = 256 * 1024;
export const MOST_DEPTH = 20;
export const TOO_DEEP: Problem = {
  field: WHOLE,
  expected: `at most ${MOST_DEPTH} levels`,
  found: `more than ${MOST_DEPTH} levels`,
};

/** Names that reach object internals, or that have a special meaning in YAML. */
const REFUSED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype", "<<"]);

/** Two blocks are ambiguous, so a third is not needed. */
export const ENOUGH_BLOCKS = 2;

export function checkBlockSize(text: string): Problem | undefined {
  // Every UTF-16 unit takes at least one byte, so a long text need not be encoded.
  const bytes = text.length > MOST_BYTES ? text.length : new TextEncoder().encode(text).length;
  if (bytes <= MOST_BYTES) return undefined;
  return { field: WHOLE, expected: `at most ${MOST_BYTES} bytes`, found: `at least ${bytes} bytes` };
}

/** Adds a key to the known keys of its object. Returns the problem if the key is not allowed there. */
export function checkKey(key: string, known: Set<string>): Problem | undefined {
  if (REFUSED_KEYS.has(key)) return { field: key, expected: "a field of the contract", found: "a reserved name" };
  if (known.has(key)) return { field: key || WHOLE, expected: "the field once", found: "the field twice" };
  known.add(key);
  return undefined;
}
