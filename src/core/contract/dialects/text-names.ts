import type { Shape } from "../shape.ts";

/** Names of text fields and of fields with lists of texts, anywhere in the contract. */
export type TextNames = { readonly texts: ReadonlySet<string>; readonly lists: ReadonlySet<string> };

const MOST_LEVELS = 6;
const known = new WeakMap<Shape, TextNames>();

/** Collects the names. A name with another meaning elsewhere in the contract is in neither set. */
export function collectTextNames(shape: Shape): TextNames {
  const found = known.get(shape);
  if (found) return found;
  const kinds = new Map<string, Set<"text" | "list" | "other">>();
  collect(shape, kinds, MOST_LEVELS);
  const selectOnly = (kind: "text" | "list") =>
    new Set([...kinds].flatMap(([name, seen]) => (seen.size === 1 && seen.has(kind) ? [name] : [])));
  const names = { texts: selectOnly("text").add("nonce"), lists: selectOnly("list") };
  known.set(shape, names);
  return names;
}

/** Returns whether only text is valid. A nullable text is still text only. */
export function isTextOnly({ kinds }: Shape): boolean {
  return kinds.has("string") && [...kinds].every((kind) => kind === "string" || kind === "null");
}

function collect(shape: Shape, kinds: Map<string, Set<"text" | "list" | "other">>, levels: number): void {
  if (levels === 0) return;
  for (const [name, field] of shape.fields()) {
    const seen = kinds.get(name) ?? new Set();
    kinds.set(name, seen.add(classifyField(field.shape)));
    collect(field.shape, kinds, levels - 1);
  }
  const values = shape.values();
  if (values) collect(values, kinds, levels - 1);
  if (shape.kinds.has("array")) collect(shape.items(), kinds, levels - 1);
}

function classifyField(shape: Shape): "text" | "list" | "other" {
  if (isTextOnly(shape)) return "text";
  const isList = shape.kinds.has("array") && [...shape.kinds].every((kind) => kind === "array" || kind === "null");
  return isList && isTextOnly(shape.items()) ? "list" : "other";
}
