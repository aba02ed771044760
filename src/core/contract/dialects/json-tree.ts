import type { Json } from "../json.ts";
import { keyProblem, MOST_DEPTH, TOO_DEEP, type Tree } from "./block.ts";
import { cut, type Problem, WHOLE } from "./problem.ts";

/** In valid JSON: every string, with the colon that makes it a key, and every bracket. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|[{}[\]]/g;

/** Strict JSON: what `JSON.parse` reads, without the duplicate keys and the depth that it lets pass. */
export function parseJson(text: string): Tree {
  try {
    // `JSON.parse` answers with `any`; what it builds is JSON.
    const value = JSON.parse(text) as Json;
    const problem = structureProblem(text);
    return problem ? { ok: false, problem } : { ok: true, value };
  } catch (error) {
    return { ok: false, problem: { field: WHOLE, expected: "JSON", found: cut(String(error)) } };
  }
}

function structureProblem(text: string): Problem | undefined {
  const open: Set<string>[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else {
      const problem = token.endsWith(":") ? keyProblemOf(token, open) : undefined;
      if (problem) return problem;
    }
    if (open.length > MOST_DEPTH) return TOO_DEEP;
  }
  return undefined;
}

function keyProblemOf(token: string, open: readonly Set<string>[]): Problem | undefined {
  const key: unknown = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1));
  return keyProblem(String(key), open.at(-1) ?? new Set());
}
