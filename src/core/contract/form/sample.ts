import type { Json } from "../../text/json.ts";
import type { Field, NumberRange, Shape } from "../shape.ts";

/** Deeper than any contract people have to read; a schema that contains itself ends here. */
export const MOST_LEVELS = 6;

/** What stands in a form for one value: a literal of its own kind, a choice, or a text in angle brackets. */
export type Sample = {
  readonly value: number | boolean | string;
  /** What the value alone does not say. */
  readonly kind?: string;
};

/** `name` says what is asked for where the schema does not. */
export function sampleOf(shape: Shape, name: string): Sample {
  const { kinds, options, description } = shape;
  const words = [...options.map(String), ...(kinds.has("null") ? ["null"] : [])];
  if (isFree(shape)) return { value: [`<${description ?? name}>`, ...words].join(" | ") };
  const [first] = options;
  if (typeof first === "number" || typeof first === "boolean") return { value: first, kind: words.join(" or ") };
  if (options.length > 0) return { value: words.join(" | ") };
  if (kinds.has("boolean")) return { value: true, kind: ["true or false", ...words].join(" or ") };
  if (kinds.has("number"))
    return { value: exampleNumber(shape.range), kind: [rangeText(shape.range), ...words].join(" or ") };
  return { value: words.join(" | ") || `<${description ?? name}>` };
}

/** All that is to be said beside a field: whether it must be there, what fits, what it means. */
export function notesOf(field: Field, name: string): string {
  const { shape } = field;
  const kind = isNested(shape) ? undefined : sampleOf(shape, name).kind;
  return [dueOf(field), kind, meaningBeside(shape)].filter((part) => part !== undefined && part !== "").join("; ");
}

/** Nothing where it must be there. */
export function dueOf({ required, when }: Field): string {
  if (when !== undefined) return `only with ${when}`;
  return required ? "" : "optional";
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

function exampleNumber({ integer, least = 0, most }: NumberRange): number {
  if (!integer && most !== undefined) return (least + most) / 2;
  return Math.min(Math.max(1, least), most ?? Number.MAX_SAFE_INTEGER);
}

function rangeText({ integer, least, most }: NumberRange): string {
  const kind = integer ? "a whole number" : "a number";
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  if (least !== undefined) return least === 0 && integer ? kind : `${kind}, at least ${least}`;
  return most === undefined ? kind : `${kind}, at most ${most}`;
}

/** As one value, for forms that are written as data. */
export function exampleOf(field: Field, name: string, levels = MOST_LEVELS): Json {
  const { shape } = field;
  if (levels > 0 && isList(shape)) return [exampleOf(itemOf(field), name, levels - 1)];
  if (levels > 0 && shape.kinds.has("object")) {
    return Object.fromEntries(
      membersOf(shape).map(([key, member]) => [key, exampleOf(member, wordsOf(key), levels - 1)]),
    );
  }
  return isNested(shape) ? "<…>" : sampleOf(shape, name).value;
}

/** An item of a list, described by its list where it has no word of its own. */
export function itemOf({ shape, required }: Field): Field {
  const item = shape.items();
  const { description = shape.description } = item;
  return { shape: description === undefined ? item : { ...item, description }, required };
}
