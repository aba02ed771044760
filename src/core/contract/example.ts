import type { Json } from "../json.ts";
import type { Field, Shape } from "./shape.ts";

/** Deeper than any contract people have to read; a schema that contains itself ends here. */
const MOST_LEVELS = 6;
const OPTIONAL = "leave out if there is none";

/** What an answer looks like, every value in angle brackets or as the list of its options. */
export function exampleOf(shape: Shape): Json {
  return example({ shape, required: true }, MOST_LEVELS);
}

function example({ shape, required }: Field, levels: number): Json {
  const { kinds } = shape;
  if (levels > 0 && kinds.has("array")) return [example({ shape: shape.items(), required }, levels - 1)];
  if (levels > 0 && kinds.has("object")) return members(shape, levels - 1);
  return textOf(shape, required);
}

function members(shape: Shape, levels: number): Json {
  const own = [...shape.fields()].map(([name, field]): [string, Json] => [name, example(field, levels)]);
  const values = shape.values();
  const free: [string, Json][] = values ? [["<name>", example({ shape: values, required: true }, levels)]] : [];
  return Object.fromEntries([...own, ...free]);
}

function textOf(shape: Shape, required: boolean): string {
  const note = required ? "" : OPTIONAL;
  const options = [...shape.options.map(String), ...literalsOf(shape)];
  const free = freeOf(shape);
  if (free !== undefined) return [`<${[free, note].filter(Boolean).join("; ")}>`, ...options].join(" | ");
  return [options.join(" | "), note && `<${note}>`].filter(Boolean).join(" ");
}

function literalsOf({ kinds }: Shape): readonly string[] {
  return [...(kinds.has("boolean") ? ["true", "false"] : []), ...(kinds.has("null") ? ["null"] : [])];
}

function freeOf(shape: Shape): string | undefined {
  const { kinds, options, description } = shape;
  if (kinds.has("any")) return description ?? "value";
  if (kinds.has("string") && (shape.freeText || options.length === 0)) return description ?? "text";
  if (kinds.has("number") && options.length === 0) return description ?? "number";
  return kinds.has("array") || kinds.has("object") ? (description ?? "…") : undefined;
}
