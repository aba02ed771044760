import { z } from "zod";
import type { Json } from "../text/json.ts";

export type Kind = "string" | "number" | "boolean" | "null" | "array" | "object" | "any";
export type Field = {
  readonly shape: Shape;
  readonly required: boolean;
  /**
   * Condition under which the field is required, if it is neither always nor never: `only with status: failed`. Derived
   * from the alternatives of the schema, or set with `.meta({ due: … })` for conditions that the schema does not
   * express.
   */
  readonly due?: string;
};

/** Merged alternatives of what a schema accepts at one position. */
export type Shape = {
  readonly kinds: ReadonlySet<Kind>;
  /** Accepted literal values. */
  readonly options: readonly Json[];
  /** Text that is limited only in its length. */
  readonly freeText: boolean;
  /** Text in any form beyond the options. */
  readonly openText: boolean;
  /** Text of several lines: `.meta({ paragraphs: true })`, or a description that mentions it. */
  readonly paragraphs: boolean;
  readonly range: NumberRange;
  readonly description?: string;
  /** Functions, because a schema may contain itself. */
  readonly items: () => Shape;
  readonly fields: () => ReadonlyMap<string, Field>;
  /** Shape of the values of an object with free keys. */
  readonly values: () => Shape | undefined;
};

export type NumberRange = { readonly integer: boolean; readonly least?: number; readonly most?: number };

type SchemaNode = z.core.JSONSchema.JSONSchema;

/** Schemas are constants of the pipelines, so each one is translated once. */
const known = new WeakMap<z.ZodType, Shape>();

export function shapeOf(schema: z.ZodType): Shape {
  const found = known.get(schema);
  if (found) return found;
  const root: SchemaNode = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const shape = merge([root], root);
  known.set(schema, shape);
  return shape;
}

const above = new WeakMap<Shape, Map<string, Shape>>();

/** Creates an object with a single field of this shape. */
export function wrapShape(name: string, shape: Shape): Shape {
  const known = above.get(shape) ?? new Map<string, Shape>();
  const found = known.get(name);
  if (found) return found;
  const fields = new Map([[name, { shape, required: true }]]);
  const made = { ...merge([{ type: "object" }], {}), fields: () => fields };
  above.set(shape, known.set(name, made));
  return made;
}

function merge(nodes: readonly SchemaNode[], root: SchemaNode): Shape {
  const leaves = nodes.flatMap((node) => listLeaves(node, root, new Set()));
  const description = nodes.find((node) => node.description)?.description;
  return {
    kinds: new Set(leaves.length === 0 ? ["any"] : leaves.flatMap(listKinds)),
    options: leaves.flatMap(listOptions),
    freeText: leaves.some(isFreeText),
    openText: leaves.some(isOpenText),
    paragraphs: nodes.some(hasParagraphs) || (description !== undefined && PARAGRAPHS.test(description)),
    range: computeRange(leaves),
    ...(description === undefined ? {} : { description }),
    items: createLazy(() => merge(leaves.flatMap(listItemNodes), root)),
    fields: createLazy(() => mergeFields(leaves, root)),
    values: createLazy(() => mergeValues(leaves, root)),
  };
}

/** Computes a value on first use. It is requested for every item of a list. */
function createLazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function listLeaves(node: SchemaNode, root: SchemaNode, seen: Set<SchemaNode>): readonly SchemaNode[] {
  if (seen.has(node)) return [];
  seen.add(node);
  if (node.$ref !== undefined) return listLeaves(resolveRef(node.$ref, root), root, seen);
  const inner = node.anyOf ?? node.oneOf ?? node.allOf;
  return inner ? inner.map(toSchemaNode).flatMap((one) => listLeaves(one, root, seen)) : [node];
}

/** zod references either the whole schema or one of its definitions. */
function resolveRef(ref: string, root: SchemaNode): SchemaNode {
  return ref === "#" ? root : toSchemaNode(root.$defs?.[ref.slice("#/$defs/".length)]);
}

function toSchemaNode(node: unknown): SchemaNode {
  // Anything that is not an object is `true`, `false` or absent: no statement about the value in JSON Schema.
  return typeof node === "object" && node !== null ? (node as SchemaNode) : {};
}

function listKinds(leaf: SchemaNode): readonly Kind[] {
  if (leaf.type === undefined) return listOptions(leaf).length > 0 ? [] : ["any"];
  return [leaf.type].flat().map((type) => (type === "integer" ? "number" : type));
}

function listOptions(leaf: SchemaNode): readonly Json[] {
  // `enum` and `const` contain JSON by definition; zod types them more loosely.
  if (leaf.const !== undefined) return [leaf.const as Json];
  return (leaf.enum ?? []) as readonly Json[];
}

function isOpenText(leaf: SchemaNode): boolean {
  return listKinds(leaf).includes("string") && listOptions(leaf).length === 0;
}

const PARAGRAPHS = /\b(?:paragraphs?|markdown|multi-?line|several (?:lines|sentences)|verbatim|in full)\b/i;

function hasParagraphs(node: SchemaNode): boolean {
  return "paragraphs" in node && node["paragraphs"] === true;
}

/** Ignores the bounds of exact integers, which zod sets for every whole number. */
function computeRange(leaves: readonly SchemaNode[]): NumberRange {
  const numbers = leaves.filter((leaf) => listKinds(leaf).includes("number"));
  const [least, most] = [bound(numbers, "minimum"), bound(numbers, "maximum")];
  return {
    integer: numbers.length > 0 && numbers.every((leaf) => leaf.type === "integer"),
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
  };
}

function bound(numbers: readonly SchemaNode[], side: "minimum" | "maximum"): number | undefined {
  const [first, ...others] = numbers.map((leaf) => leaf[side]);
  if (first === undefined || Math.abs(first) >= Number.MAX_SAFE_INTEGER) return undefined;
  return others.every((other) => other === first) ? first : undefined;
}

function isFreeText(leaf: SchemaNode): boolean {
  return isOpenText(leaf) && leaf.pattern === undefined && leaf.format === undefined && leaf.allOf === undefined;
}

function listItemNodes(leaf: SchemaNode): readonly SchemaNode[] {
  if (leaf.prefixItems) return leaf.prefixItems.map(toSchemaNode);
  return leaf.items === undefined ? [] : [leaf.items].flat().map(toSchemaNode);
}

function mergeFields(leaves: readonly SchemaNode[], root: SchemaNode): ReadonlyMap<string, Field> {
  const objects = leaves.filter((leaf) => leaf.properties);
  const names = new Set(objects.flatMap((leaf) => Object.keys(leaf.properties ?? {})));
  return new Map([...names].map((name) => [name, mergeField(name, objects, root)]));
}

function mergeField(name: string, objects: readonly SchemaNode[], root: SchemaNode): Field {
  const nodes = objects.flatMap((leaf) =>
    leaf.properties?.[name] === undefined ? [] : [toSchemaNode(leaf.properties[name])],
  );
  const asking = objects.filter((leaf) => leaf.required?.includes(name) ?? false);
  const isSplit = asking.length > 0 && asking.length < objects.length;
  const due =
    nodes.map(readDue).find((said) => said !== undefined) ?? (isSplit ? findCommonMark(asking, objects) : undefined);
  const required = asking.length === objects.length;
  return { shape: merge(nodes, root), required, ...(due === undefined ? {} : { due }) };
}

function readDue(node: SchemaNode): string | undefined {
  return "due" in node && typeof node["due"] === "string" ? node["due"] : undefined;
}

/** Finds the field whose value distinguishes these alternatives from all others. */
function findCommonMark(some: readonly SchemaNode[], all: readonly SchemaNode[]): string | undefined {
  const others = all.filter((leaf) => !some.includes(leaf));
  const listMarkWords = (name: string, leaf: SchemaNode) => listOptions(toSchemaNode(leaf.properties?.[name]));
  const mark = Object.keys(some[0]?.properties ?? {}).find((name) => {
    const taken = new Set(others.flatMap((leaf) => listMarkWords(name, leaf)));
    const words = some.map((leaf) => listMarkWords(name, leaf));
    const marksOthers = others.every((leaf) => listMarkWords(name, leaf).length > 0);
    return marksOthers && words.every((each) => each.length > 0 && each.every((word) => !taken.has(word)));
  });
  if (mark === undefined) return undefined;
  return `only with ${mark}: ${[...new Set(some.flatMap((leaf) => listMarkWords(mark, leaf)))].join(" or ")}`;
}

function mergeValues(leaves: readonly SchemaNode[], root: SchemaNode): Shape | undefined {
  const nodes = leaves.flatMap((leaf) =>
    typeof leaf.additionalProperties === "object" ? [toSchemaNode(leaf.additionalProperties)] : [],
  );
  return nodes.length === 0 ? undefined : merge(nodes, root);
}
