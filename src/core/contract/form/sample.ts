import type { Json } from "../../text/json.ts";
import type { Field, NumberRange, Shape } from "../shape.ts";

/** Deeper than any contract people have to read; a schema that contains itself ends here. */
export const MOST_LEVELS = 6;

/**
 * What stands in a form for one value: a choice, the one word that fits, or what is asked for in angle brackets. It says
 * which kind of value fits and is never one that somebody could have meant.
 */
export type Sample = {
  readonly text: string;
  /** Whether the value is a text: numbers and truths are written without quotes, and so is their place. */
  readonly quoted: boolean;
};

/** `name` says what is asked for where the schema does not. */
export function sampleOf(shape: Shape, name: string): Sample {
  const { kinds, options, description } = shape;
  const words = [...options.map(String), ...(kinds.has("null") ? ["null"] : [])];
  if (isFree(shape)) return { text: [`<${description ?? name}>`, ...words].join(" | "), quoted: true };
  const literals = [...(kinds.has("boolean") && options.length === 0 ? ["true", "false"] : []), ...words];
  if (options.some((option) => typeof option === "string")) return { text: words.join(" | "), quoted: true };
  if (kinds.has("number") && options.length === 0) {
    return { text: `<${[rangeText(shape.range), ...literals].join(" or ")}>`, quoted: false };
  }
  const [only, ...others] = literals;
  if (only === undefined) return { text: `<${description ?? name}>`, quoted: true };
  return { text: others.length === 0 ? only : `<${literals.join("|")}>`, quoted: false };
}

/** All that is to be said beside a field: whether it must be there, and what it means. */
export function notesOf(field: Field): string {
  return [dueOf(field), meaningBeside(field.shape)].filter((part) => part !== undefined && part !== "").join("; ");
}

/** What a field says of itself where it must be there, or is asked for in every answer. */
const ALWAYS = "always";

/** Nothing where it must be there. */
export function dueOf({ required, due = required ? ALWAYS : "optional" }: Field): string {
  return due === ALWAYS ? "" : due;
}

/** A text, and a list of texts, carry their description themselves; a range is told by its bounds. */
export function meaningBeside(shape: Shape): string | undefined {
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

/** Whatever the agent has to say, in its own words. */
export function isFree(shape: Shape): boolean {
  const { kinds, options } = shape;
  if (kinds.has("any")) return true;
  return kinds.has("string") && (shape.openText || options.length === 0);
}

export function membersOf(shape: Shape): readonly [string, Field][] {
  const named = [...shape.fields()];
  // What else may stand beside named fields is nothing to be asked for.
  const values = named.length > 0 ? undefined : shape.values();
  return values ? [["<name>", { shape: values, required: true }]] : named;
}

/** `blockedReason` and `blocked_reason` as people say it. */
export function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/_/g, " ")
    .toLowerCase();
}

function rangeText({ integer, least, most }: NumberRange): string {
  const kind = integer ? "whole number" : "number";
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  if (least !== undefined) return least === 0 && integer ? kind : `${kind}, at least ${least}`;
  return most === undefined ? kind : `${kind}, at most ${most}`;
}

/** As one value, for forms that have a line for each field. */
export function exampleOf(field: Field, name: string, levels = MOST_LEVELS): Json {
  const { shape } = field;
  if (levels > 0 && isList(shape)) return [exampleOf(itemOf(field), name, levels - 1)];
  if (levels > 0 && shape.kinds.has("object")) {
    return Object.fromEntries(
      membersOf(shape).map(([key, member]) => [key, exampleOf(member, wordsOf(key), levels - 1)]),
    );
  }
  return isNested(shape) ? "<…>" : sampleOf(shape, name).text;
}

/** An item of a list, described by its list where it has no word of its own. */
export function itemOf({ shape, required }: Field): Field {
  const item = shape.items();
  const { description = shape.description } = item;
  return { shape: description === undefined ? item : { ...item, description }, required };
}
