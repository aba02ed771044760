import type { Json } from "../text/json.ts";
import { type Problem, WHOLE } from "./problem.ts";
import type { Shape } from "./shape.ts";

/** A piece of the final message that repeats the dispatch's nonce. */
export type Block = {
  readonly text: string;
  /** The contract's fields as they were written, before the role's schema judges them. */
  readonly fields?: Json;
  /** What stands where the signature belongs, exactly as written. */
  readonly signature?: string;
  /** Why the fields could not be read, or must not be. */
  readonly problems: readonly Problem[];
};

export type Search = { readonly text: string; readonly nonce: string; readonly shape: Shape };

/** Data of a block, or the one reason why it is no data. */
export type Tree = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: Problem };

export const MOST_BYTES = 256 * 1024;
export const MOST_DEPTH = 20;
export const TOO_DEEP: Problem = {
  field: WHOLE,
  expected: `at most ${MOST_DEPTH} levels`,
  found: `more than ${MOST_DEPTH} levels`,
};

/** Names that reach into an object's machinery, or that YAML gives a meaning of their own. */
const REFUSED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype", "<<"]);

/** Two blocks are ambiguous, so nobody needs a third. */
export const ENOUGH_BLOCKS = 2;

export function tooLarge(text: string): Problem | undefined {
  // Every UTF-16 unit is at least one byte, so the long texts need no counting.
  const bytes = text.length > MOST_BYTES ? text.length : new TextEncoder().encode(text).length;
  if (bytes <= MOST_BYTES) return undefined;
  return { field: WHOLE, expected: `at most ${MOST_BYTES} bytes`, found: `at least ${bytes} bytes` };
}

/** Adds a key to those of its object; the problem when it may not stand there. */
export function keyProblem(key: string, known: Set<string>): Problem | undefined {
  if (REFUSED_KEYS.has(key)) return { field: key, expected: "a field of the contract", found: "a reserved name" };
  if (known.has(key)) return { field: key || WHOLE, expected: "the field once", found: "the field twice" };
  known.add(key);
  return undefined;
}
