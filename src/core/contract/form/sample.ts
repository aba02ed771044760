import type { Json } from "../../text/json.ts";
import type { Field, NumberRange, Shape } from "../shape.ts";

/** Deeper than any readable contract. A recursive schema ends here. */
export const MOST_LEVELS = 6;

/**
 * Placeholder for one value: a choice, the only valid word, or a description in angle brackets. It shows which kind of
 * value is valid and can never be a real answer.
 */
export type Sample = {
  readonly text: string;
  /** True for a text. Numbers and booleans are written without quotes, and so are their placeholders. */
  readonly quoted: boolean;
};

/** `name` describes the value if the schema does not. */
export function createSample(shape: Shape, name: string): Sample {
  const { kinds, options, description } = shape;
  const words = [...options.map(String), ...(kinds.has("null") ? ["null"] : [])];
  if (isFree(shape)) return { text: [`<${description ?? name}>`, ...words].join(" | "), quoted: true };
  const literals = [...(kinds.has("boolean") && options.length === 0 ? ["true", "false"] : []), ...words];
  if (options.some((option) => typeof option === "string")) return { text: words.join(" | "), quoted: true };
  if (kinds.has("number") && options.length === 0) {
    return { text: `<${[formatRange(shape.range), ...literals].join(" or ")}>`, quoted: false };
  }
  const [only, ...others] = literals;
  if (only === undefined) return { text: `<${description ?? name}>`, quoted: true };
  return { text: others.length === 0 ? only : `<${literals.join("|")}>`, quoted: false };
}

/** Returns the note beside a field: whether it is required, and what it means. */
export function formatFieldNotes(field: Field): string {
  return [formatDue(field), getSeparateMeaning(field.shape)]
    .filter((part) => part !== undefined && part !== "")
    .join("; ");
}

/** Value of `due` for a field that is required, or requested in every answer. */
const ALWAYS = "always";

/** Returns nothing for a required field. */
export function formatDue({ required, due = required ? ALWAYS : "optional" }: Field): string {
  return due === ALWAYS ? "" : due;
}

/**
 * Returns the meaning if the placeholder does not contain it. A text and a list of texts contain their description; a
 * range shows its bounds.
 */
export function getSeparateMeaning(shape: Shape): string | undefined {
  const told = isList(shape) ? shape.items() : shape;
  if (isFree(told) && !isNested(told)) return undefined;
  const { range, description } = shape;
  return description === `${range.least} to ${range.most}` ? undefined : description;
}

export function isList({ kinds }: Shape): boolean {
  return kinds.has("array");
}

export function isNested({ kinds }: Shape): boolean {
  return kinds.has("array") || kinds.has("object");
}

/** Returns whether any text is valid. */
export function isFree(shape: Shape): boolean {
  const { kinds, options } = shape;
  if (kinds.has("any")) return true;
  return kinds.has("string") && (shape.openText || options.length === 0);
}

export function listMembers(shape: Shape): readonly [string, Field][] {
  const named = [...shape.fields()];
  // Free keys beside named fields are not requested.
  const values = named.length > 0 ? undefined : shape.values();
  return values ? [["<name>", { shape: values, required: true }]] : named;
}

/** Splits `blockedReason` and `blocked_reason` into plain words. */
export function splitIntoWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/_/g, " ")
    .toLowerCase();
}

function formatRange({ integer, least, most }: NumberRange): string {
  const kind = integer ? "whole number" : "number";
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  if (least !== undefined) return least === 0 && integer ? kind : `${kind}, at least ${least}`;
  return most === undefined ? kind : `${kind}, at most ${most}`;
}

/** Returns an example as one value, for forms with one line per field. */
export function createExample(field: Field, name: string, levels = MOST_LEVELS): Json {
  const { shape } = field;
  if (levels > 0 && isList(shape)) return [createExample(getItemField(field), name, levels - 1)];
  if (levels > 0 && shape.kinds.has("object")) {
    return Object.fromEntries(
      listMembers(shape).map(([key, member]) => [key, createExample(member, splitIntoWords(key), levels - 1)]),
    );
  }
  return isNested(shape) ? "<…>" : createSample(shape, name).text;
}

/** Returns an item of a list, with the description of its list if it has none. */
export function getItemField({ shape, required }: Field): Field {
  const item = shape.items();
  const { description = shape.description } = item;
  return { shape: description === undefined ? item : { ...item, description }, required };
}
