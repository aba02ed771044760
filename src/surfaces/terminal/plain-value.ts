import type { Json } from "../../core/text/json.ts";
import { toOneLine } from "./clean-text.ts";

/** Maximum number of list items with a line of their own. */
const MAX_ITEMS = 12;

/** Formats a value under its name for people. Empty values are omitted, and list items get a line each. */
export function formatNamedValue(name: string, value: Json): string[] {
  const words = toWords(name);
  const entries =
    Array.isArray(value) && value.some(isNested) ? value.map(formatPlainValue).filter((text) => text !== "") : [];
  if (entries.length > 0) {
    const rest = entries.length - MAX_ITEMS;
    const shown = entries.slice(0, MAX_ITEMS).map((entry) => `  ${toOneLine(entry, MAX_LENGTH)}`);
    return [`${words}:`, ...shown, ...(rest > 0 ? [`  … and ${rest} more`] : [])];
  }
  const text = formatPlainValue(value);
  return text === "" ? [] : [`${words}: ${toOneLine(text, MAX_LENGTH)}`];
}

const MAX_LENGTH = 300;

/** Formats a value on one line: `step: 2 Spec; outputs: spec-output.yaml, feature.md` */
export function formatPlainValue(value: Json): string {
  if (value === null) return "";
  if (Array.isArray(value)) return joinTexts(value.map(formatPlainValue), ", ");
  if (typeof value !== "object") return String(value);
  const fields = Object.entries(value).map(([name, inner]) => {
    const text = formatPlainValue(inner ?? null);
    return text === "" ? "" : `${toWords(name)}: ${text}`;
  });
  return joinTexts(fields, "; ");
}

const joinTexts = (texts: readonly string[], by: string): string => texts.filter((text) => text !== "").join(by);

const isNested = (value: Json): boolean => typeof value === "object" && value !== null;

const toWords = (name: string): string => name.replaceAll("_", " ");
