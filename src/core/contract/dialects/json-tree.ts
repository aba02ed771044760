import type { Json } from "../../text/json.ts";
import { checkKey, MOST_DEPTH, TOO_DEEP, type Tree } from "../block.ts";
import { cut, describePlaceholder, locateOffset, type Problem, UNFILLED, WHOLE } from "../problem.ts";

/** In valid JSON: every string, with the colon that makes it a key, and every bracket. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|[{}[\]]/g;

export const ESCAPE = 'inside a text write " as \\" and a new line as \\n';

/**
 * Parses JSON, but refuses duplicate keys and excessive depth. Trailing commas and comments are allowed, because the
 * example has comments too.
 */
export function parseJsonTree(text: string): Tree {
  const strict = parseTree(text);
  if (strict.ok) return strict;
  const uncommented = text.replace(COMMENT, (token) => (token.startsWith("/") ? "" : token));
  const mended = uncommented.replace(TRAILING_COMMA, (token) => (token === "," ? "" : token));
  const second = mended === text ? strict : parseTree(mended);
  return second.ok ? second : strict;
}

const COMMENT = /"[^"\\]*(?:\\.[^"\\]*)*"|\/\/[^\n]*/g;
const TRAILING_COMMA = /"[^"\\]*(?:\\.[^"\\]*)*"|,(?=\s*[}\]])/g;

function parseTree(text: string): Tree {
  try {
    // The cast is true because `JSON.parse` builds nothing but JSON.
    const value = JSON.parse(text) as Json;
    const problem = findStructureProblem(text);
    return problem ? { ok: false, problem } : { ok: true, value };
  } catch (error) {
    const left = findUnfilledPlace(text);
    if (left) return { ok: false, problem: left };
    const message = error instanceof Error ? error.message : String(error);
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const place = position === undefined ? {} : { ...locateOffset(text, Number(position)), advice: ESCAPE };
    return { ok: false, problem: { field: WHOLE, expected: "JSON", found: cut(message), ...place } };
  }
}

/** Placeholders outside of strings and comments. */
const PLACE = /"[^"\\]*(?:\\.[^"\\]*)*"|\/\/[^\n]*|<[^<>"\n]*>/g;

/** Reports a number or boolean that was not filled in. Its placeholder has no quotes, so it is not valid JSON. */
function findUnfilledPlace(text: string): Problem | undefined {
  const place = [...text.matchAll(PLACE)].find(([token]) => token.startsWith("<"));
  if (!place) return undefined;
  return { field: WHOLE, ...UNFILLED, found: describePlaceholder(place[0]), ...locateOffset(text, place.index) };
}

function findStructureProblem(text: string): Problem | undefined {
  const open: Set<string>[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else {
      const problem = token.endsWith(":") ? checkKeyToken(token, open) : undefined;
      if (problem) return problem;
    }
    if (open.length > MOST_DEPTH) return TOO_DEEP;
  }
  return undefined;
}

function checkKeyToken(token: string, open: readonly Set<string>[]): Problem | undefined {
  const key: unknown = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1));
  return checkKey(String(key), open.at(-1) ?? new Set());
}
