/** One value that a person may give, in words. */
export type Field = {
  readonly name: string;
  readonly type: string;
  readonly needed: boolean;
  readonly otherwise?: unknown;
};

type Schema = {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly (Schema | boolean)[];
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

/** The fields of an object's JSON Schema; those of objects inside it by their path. */
export function fieldsOf(schema: unknown, under = ""): readonly Field[] {
  // A JSON Schema of an object, as zod writes it.
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).flatMap(([key, inner]): readonly Field[] => {
    const name = under === "" ? key : `${under}.${key}`;
    if (typeof inner === "boolean") return [{ name, type: "anything", needed: required.includes(key) }];
    if (inner.properties && Object.keys(inner.properties).length > 0) return fieldsOf(inner, name);
    const otherwise = inner.default === undefined ? {} : { otherwise: inner.default };
    return [{ name, type: typeOf(inner), needed: required.includes(key), ...otherwise }];
  });
}

function typeOf(schema: Schema | boolean): string {
  if (typeof schema === "boolean") return "anything";
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  return typeof schema.type === "string" ? (WORDS[schema.type] ?? schema.type) : "anything";
}
