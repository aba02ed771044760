import { expect, test } from "vitest";
import { z } from "zod";
import { ARTIFACTS, schemaFiles } from "./artifacts.ts";

test.each(schemaFiles())("$file is a JSON Schema that asks for something", ({ schema }) => {
  // Zod reads the JSON Schema dialect that it writes, and refuses unknown keywords.
  const read = z.fromJSONSchema(schema);
  expect(read.safeParse("no such file").success).toBe(false);
  expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema", title: expect.any(String) });
});

test("every artifact has a file of its own", () => {
  const files = schemaFiles().map(({ file }) => file);
  expect(new Set(files).size).toBe(Object.values(ARTIFACTS).flat().length);
});
