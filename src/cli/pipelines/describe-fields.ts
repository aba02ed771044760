/** An input value, described for people. */
export type InputField = {
  readonly name: string;
  readonly type: string;
  readonly needed: boolean;
  /**
   * Replacement for a missing value: `.meta({ unless })` of the schema. JSON Schema cannot express this rule.
   */
  readonly unless?: string;
  readonly otherwise?: unknown;
};

type FieldSchema = {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly unless?: unknown;
  readonly properties?: Readonly<Record<string, FieldSchema | boolean>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly (FieldSchema | boolean)[];
};

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "yes or no",
  integer: "whole number",
  number: "number",
  array: "list",
  object: "mapping",
  null: "nothing",
};

/**
 * Lists the fields of a JSON Schema object. Nested fields are named by path and are required only if their parent is.
 */
export function describeFields(schema: unknown): readonly InputField[] {
  return listFields(schema, { under: "", due: true });
}

function listFields(
  schema: unknown,
  { under, due }: { readonly under: string; readonly due: boolean },
): readonly InputField[] {
  // zod writes an object's JSON Schema in this shape.
  const { properties = {}, required = [] } = schema as FieldSchema;
  return Object.entries(properties).flatMap(([key, inner]): readonly InputField[] => {
    const name = under === "" ? key : `${under}.${key}`;
    const needed = due && required.includes(key);
    if (typeof inner === "boolean") return [{ name, type: "anything", needed }];
    if (inner.properties && Object.keys(inner.properties).length > 0)
      return listFields(inner, { under: name, due: needed });
    const otherwise = inner.default === undefined ? {} : { otherwise: inner.default };
    const unless = typeof inner.unless === "string" ? { unless: inner.unless } : {};
    return [{ name, type: describeType(inner), needed, ...unless, ...otherwise }];
  });
}

function describeType(schema: FieldSchema | boolean): string {
  if (typeof schema === "boolean") return "anything";
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describeType))].join(" or ");
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  return types.map((type) => WORDS[type] ?? type).join(" or ") || "anything";
}
