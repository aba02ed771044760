import { stringify } from "yaml";

/** Shorter values are easier to read where they are. */
const LONG = 160;

/** Removes duplicates of long values from an input, and the account of failed attempts. */
export function deduplicateInput(input: unknown): unknown {
  return deduplicateValue(input ?? {}, "", new Map());
}

export function formatInput(said: unknown): string {
  return stringify(said, { lineWidth: 0, aliasDuplicateObjects: false }).trim();
}

function deduplicateValue(value: unknown, path: string, seen: Map<string, string>): unknown {
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  if (typeof text !== "string") return value;
  const before = text.length < LONG ? undefined : seen.get(text);
  if (before !== undefined) return `(the same as ${before} above)`;
  if (text.length >= LONG) seen.set(text, path);
  if (Array.isArray(value)) return value.map((each, at) => deduplicateValue(each, `${path}[${at}]`, seen));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([key, each]) => !isRetried(key, each));
  return Object.fromEntries(
    fields.map(([key, each]) => [key, deduplicateValue(each, path === "" ? key : `${path}.${key}`, seen)] as const),
  );
}

/**
 * Detects the field that the engine adds to an answer after failed attempts: it is meant for the pipeline, not for its
 * roles.
 */
function isRetried(key: string, value: unknown): boolean {
  if (key !== "retried" || !Array.isArray(value)) return false;
  return value.every((each: unknown) => typeof each === "object" && each !== null && "class" in each && "code" in each);
}
