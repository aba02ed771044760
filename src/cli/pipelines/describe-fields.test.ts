import { describe, expect, test } from "vitest";
import { z } from "zod";
import { BUILT_IN } from "../../pipelines/index.ts";
import { describeFields, type InputField } from "./describe-fields.ts";
import { toJsonSchema } from "./pipeline-facts.ts";

const SAMPLES: Readonly<Record<string, string>> = { request: "Greet people by name" };
/** A request that provides every optional field. */
const FULL: Readonly<Record<string, string>> = { request: "ABC-12: Greet people by name" };
const names = (fields: readonly InputField[]): string[] => fields.map(({ name }) => name);

const all = await Promise.all(
  Object.entries(BUILT_IN).map(async ([name, load]) => {
    const { input } = await load();
    return { name, input, fields: describeFields(toJsonSchema(input)) };
  }),
);

describe.each(all)("the described input of $name", ({ input, fields }) => {
  const given = (samples: Readonly<Record<string, string>>, without = "") => {
    const needed = names(fields).filter((name) => name !== without && fields.some((f) => f.name === name && f.needed));
    const read = input.safeParse(Object.fromEntries(needed.map((name) => [name, samples[name] ?? "x"])));
    return read.success ? [] : read.error.issues.map(({ path }) => path.join("."));
  };

  test("marks optional fields, and fields required unless another one is given", () => {
    expect(given(FULL)).toEqual([]);
    expect(given(SAMPLES)).toEqual(names(fields.filter(({ unless }) => unless !== undefined)));
  });

  test("marks required fields by name", () => {
    for (const name of names(fields.filter(({ needed }) => needed))) expect(given(FULL, name)).toContain(name);
  });

  test("contains a type for every field", () => {
    expect(fields.filter(({ type }) => type === "anything")).toEqual([]);
  });
});

test("a field inside an optional object is not required", () => {
  const inner = z.object({ a: z.string() });
  const fields = describeFields(toJsonSchema(z.object({ given: inner, open: inner.optional() })));
  expect(fields.map(({ name, needed }) => [name, needed])).toEqual([
    ["given.a", true],
    ["open.a", false],
  ]);
});
