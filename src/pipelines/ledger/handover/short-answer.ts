import { getFirstText, toFields } from "../documents/lenient-schema.ts";

/** Fields about the dispatch itself, which later agents do not need. */
const OF_THE_DISPATCH = new Set(["by", "status", "error_class", "artifact_evaluations", "retried"]);
const TEXTS = ["path", "title", "text", "message", "detail", "description", "rationale"] as const;

/** Returns an answer without the fields about its dispatch. */
export function omitDispatchFields(answer: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(answer).filter(([name, value]) => !OF_THE_DISPATCH.has(name) && !isNothing(value)),
  );
}

/**
 * Shortens an answer for the next agent: one line per list entry, without losing words. The summary is dropped if there
 * is anything else.
 */
export function shortenAnswer(answer: object): Readonly<Record<string, unknown>> {
  const { summary, ...rest } = omitDispatchFields(answer);
  const fields = Object.entries(rest);
  if (fields.length === 0) return summary === undefined ? {} : { summary };
  return Object.fromEntries(
    fields.map(([name, value]) => [name, Array.isArray(value) ? value.map(formatEntryLine) : value]),
  );
}

/** Formats an entry as `AC-1: an empty name is refused; test_method: test`. */
export function formatEntryLine(entry: unknown): unknown {
  const fields = toFields(entry);
  const flat = Object.values(fields).every((value) => typeof value !== "object" || isListOfTexts(value));
  if (Object.keys(fields).length === 0 || !flat) return entry;
  const id = getFirstText(entry, "id");
  const texts = TEXTS.flatMap((name) => getFirstText(entry, name) ?? []);
  const rest = Object.entries(fields).filter(([name, value]) => !isNamed(name) && !isNothing(value));
  const named = rest.map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`);
  return [...(id === undefined ? [] : [`${id}: `]), [texts.join(": "), ...named].filter(Boolean).join("; ")].join("");
}

const isNamed = (name: string): boolean => name === "id" || TEXTS.some((text) => text === name);

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
