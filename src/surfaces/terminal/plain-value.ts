import type { Json } from "../../core/text/json.ts";
import { oneLine } from "./clean-text.ts";

/** So many entries of a list have a line of their own. */
const MOST_LINES = 12;

/** A value under its name, as a person reads it: what says nothing is left out, entries of a list have a line each. */
export function plainLines(name: string, value: Json): string[] {
  const words = wordsOf(name);
  const entries =
    Array.isArray(value) && value.some(isNested) ? value.map(plainText).filter((text) => text !== "") : [];
  if (entries.length > 0) {
    const rest = entries.length - MOST_LINES;
    const shown = entries.slice(0, MOST_LINES).map((entry) => `  ${oneLine(entry, MOST)}`);
    return [`${words}:`, ...shown, ...(rest > 0 ? [`  … and ${rest} more`] : [])];
  }
  const text = plainText(value);
  return text === "" ? [] : [`${words}: ${oneLine(text, MOST)}`];
}

const MOST = 300;

/** `step: 2 Spec; outputs: spec-output.yaml, feature.md` */
export function plainText(value: Json): string {
  if (value === null) return "";
  if (Array.isArray(value)) return joined(value.map(plainText), ", ");
  if (typeof value !== "object") return String(value);
  const fields = Object.entries(value).map(([name, inner]) => {
    const text = plainText(inner ?? null);
    return text === "" ? "" : `${wordsOf(name)}: ${text}`;
  });
  return joined(fields, "; ");
}

const joined = (texts: readonly string[], by: string): string => texts.filter((text) => text !== "").join(by);

const isNested = (value: Json): boolean => typeof value === "object" && value !== null;

const wordsOf = (name: string): string => name.replaceAll("_", " ");
