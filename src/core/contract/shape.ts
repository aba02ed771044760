import { z } from "zod";
import type { Json } from "../json.ts";

export type Kind = "string" | "number" | "boolean" | "null" | "array" | "object" | "any";
export type Field = { readonly shape: Shape; readonly required: boolean };

/** What a schema accepts at one place, all its alternatives taken together. */
export type Shape = {
  readonly kinds: ReadonlySet<Kind>;
  /** The literal values that are accepted. */
  readonly options: readonly Json[];
  /** Text that nothing but its length limits. */
  readonly freeText: boolean;
  readonly description?: string;
  /** Functions, because a schema may contain itself. */
  readonly items: () => Shape;
  readonly fields: () => ReadonlyMap<string, Field>;
  /** The values of an object whose keys are free. */
  readonly values: () => Shape | undefined;
};

type Node = z.core.JSONSchema.JSONSchema;

/** Schemas are constants of the pipelines: each is translated once. */
const known = new WeakMap<z.ZodType, Shape>();

export function shapeOf(schema: z.ZodType): Shape {
  const found = known.get(schema);
  if (found) return found;
  const root: Node = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const shape = merge([root], root);
  known.set(schema, shape);
  return shape;
}

function merge(nodes: readonly Node[], root: Node): Shape {
  const leaves = nodes.flatMap((node) => leavesOf(node, root, new Set()));
  const description = nodes.find((node) => node.description)?.description;
  return {
    kinds: new Set(leaves.length === 0 ? ["any"] : leaves.flatMap(kindsOf)),
    options: leaves.flatMap(optionsOf),
    freeText: leaves.some(isFreeText),
    ...(description === undefined ? {} : { description }),
    items: () => merge(leaves.flatMap(itemsOf), root),
    fields: () => fieldsOf(leaves, root),
    values: () => valuesOf(leaves, root),
  };
}

function leavesOf(node: Node, root: Node, seen: Set<Node>): readonly Node[] {
  if (seen.has(node)) return [];
  seen.add(node);
  if (node.$ref !== undefined) return leavesOf(resolved(node.$ref, root), root, seen);
  const inner = node.anyOf ?? node.oneOf ?? node.allOf;
  return inner ? inner.map(asNode).flatMap((one) => leavesOf(one, root, seen)) : [node];
}

/** zod points either to the whole schema or to one of its definitions. */
function resolved(ref: string, root: Node): Node {
  return ref === "#" ? root : asNode(root.$defs?.[ref.slice("#/$defs/".length)]);
}

function asNode(node: unknown): Node {
  // What is no object is `true`, `false` or absent: JSON Schema's way to say nothing about the value.
  return typeof node === "object" && node !== null ? (node as Node) : {};
}

function kindsOf(leaf: Node): readonly Kind[] {
  if (leaf.type === undefined) return optionsOf(leaf).length > 0 ? [] : ["any"];
  return [leaf.type].flat().map((type) => (type === "integer" ? "number" : type));
}

function optionsOf(leaf: Node): readonly Json[] {
  // `enum` and `const` hold JSON by definition; zod types them more loosely.
  if (leaf.const !== undefined) return [leaf.const as Json];
  return (leaf.enum ?? []) as readonly Json[];
}

function isFreeText(leaf: Node): boolean {
  if (!kindsOf(leaf).includes("string") || optionsOf(leaf).length > 0) return false;
  return leaf.pattern === undefined && leaf.format === undefined && leaf.allOf === undefined;
}

function itemsOf(leaf: Node): readonly Node[] {
  if (leaf.prefixItems) return leaf.prefixItems.map(asNode);
  return leaf.items === undefined ? [] : [leaf.items].flat().map(asNode);
}

function fieldsOf(leaves: readonly Node[], root: Node): ReadonlyMap<string, Field> {
  const objects = leaves.filter((leaf) => leaf.properties);
  const names = new Set(objects.flatMap((leaf) => Object.keys(leaf.properties ?? {})));
  return new Map([...names].map((name) => [name, fieldOf(name, objects, root)]));
}

function fieldOf(name: string, objects: readonly Node[], root: Node): Field {
  const nodes = objects.flatMap((leaf) =>
    leaf.properties?.[name] === undefined ? [] : [asNode(leaf.properties[name])],
  );
  return { shape: merge(nodes, root), required: objects.every((leaf) => leaf.required?.includes(name) ?? false) };
}

function valuesOf(leaves: readonly Node[], root: Node): Shape | undefined {
  const nodes = leaves.flatMap((leaf) =>
    typeof leaf.additionalProperties === "object" ? [asNode(leaf.additionalProperties)] : [],
  );
  return nodes.length === 0 ? undefined : merge(nodes, root);
}
