import { z } from "zod";

/** Argument and result type of every verb: recorded as JSON and read back as the same value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };
export const Json: z.ZodType<Json> = z.json();

/** Serializes with sorted object keys and no spaces, so that equal values give equal text. */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return serializeList(value);
  // Written out instead of a replacer for speed: every record and every input passes here.
  const entries = value as Record<string, unknown>;
  let text = "";
  for (const key of sortKeys(entries)) {
    const inner = entries[key];
    if (inner === undefined || typeof inner === "function") continue;
    text += `${text === "" ? "" : ","}${quoteKey(key)}:${canonical(inner)}`;
  }
  return `{${text}}`;
}

function serializeList(values: readonly unknown[]): string {
  let text = "";
  for (let at = 0; at < values.length; at += 1) text += `${at === 0 ? "" : ","}${canonical(values[at])}`;
  return `[${text}]`;
}

/** Most keys are sorted already, and checking is cheaper than sorting. */
function sortKeys(entries: object): readonly string[] {
  const keys = Object.keys(entries);
  for (let at = 1; at < keys.length; at += 1) {
    if ((keys[at - 1] ?? "") > (keys[at] ?? "")) return keys.sort();
  }
  return keys;
}

/** Caches quoted field names: they are few and repeat in every record. Other strings are not cached. */
const QUOTED = new Map<string, string>();
const MOST_QUOTED = 1_000;

function quoteKey(key: string): string {
  const known = QUOTED.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(key);
  if (QUOTED.size < MOST_QUOTED && key.length < 40) QUOTED.set(key, text);
  return text;
}

/**
 * Returns the value as it will be read back from the journal, frozen. First executions get this copy too, so that code
 * that works once also works on replay.
 */
export function toStored<T>(value: T): T {
  // The cast is true because values beyond JSON were refused before.
  return toJson(value) as T;
}

/** Converts an unknown value in the same way. A verb without a result (`write`, `note`) returns undefined. */
export function toJson(value: unknown): Json | undefined {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : freezeDeep(JSON.parse(text));
}

export function freezeDeep<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
}

/** Returns the path of the first part of a value that JSON would lose or change; undefined if there is none. */
export function findJsonLoss(value: unknown, path = "value"): string | undefined {
  if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean")
    return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${path} (${value})`;
  if (typeof value !== "object") return `${path} (a ${typeof value})`;
  if (Array.isArray(value)) return findFirstLoss(value.entries(), (index) => `${path}[${index}]`);
  if (!isPlainObject(value)) return `${path} (a ${value.constructor?.name ?? "object"} that is not plain data)`;
  return findFirstLoss(Object.entries(value), (key) => `${path}.${key}`);
}

function findFirstLoss<K>(entries: Iterable<[K, unknown]>, name: (key: K) => string): string | undefined {
  for (const [key, inner] of entries) {
    const lost = findJsonLoss(inner, name(key));
    if (lost) return lost;
  }
  return undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
