import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DIALECTS, type Dialect } from "./dialect.ts";
import { readContract } from "./read.ts";
import { writeContract } from "./write.ts";

const Any = z.object({ line: z.enum(["DONE", "ERROR"]), message: z.string() });
const value = { line: "DONE", message: "built the parser" };
const write = (dialect: Dialect, nonce = "n7") => writeContract({ dialect, value, nonce });
const read = (dialect: Dialect, text: string, schema: z.ZodType = Any) =>
  readContract({ dialect, text, nonce: "n7", schema });
const refused = (schema: z.ZodType, contract: unknown) => {
  const reading = read("json", JSON.stringify({ nonce: "n7", contract }), schema);
  return reading.ok ? [] : reading.problems;
};

describe.each(DIALECTS)("reading %s", (dialect) => {
  it("[A-07] a block without the nonce is a quotation", () => {
    expect(read(dialect, `${write(dialect, "n8")}\n\n${write(dialect)}`)).toEqual({ ok: true, value });
    expect(read(dialect, write(dialect, "n8"))).toMatchObject({ ok: false, code: "contract_missing" });
    expect(read(dialect, "")).toMatchObject({ ok: false, code: "contract_missing" });
    const empty = { dialect, text: write(dialect, ""), nonce: "", schema: Any };
    expect(readContract(empty)).toMatchObject({ ok: false, code: "contract_missing" });
  });

  it("[A-07] two blocks with the nonce are ambiguous, also when they agree", () => {
    expect(read(dialect, `${write(dialect)}\n\n${write(dialect)}`)).toMatchObject({ code: "contract_ambiguous" });
  });

  it("[A-11] a placeholder as a whole required text is no answer", () => {
    for (const message of [
      "TODO",
      "...",
      "…",
      "<what was built>",
      "string",
      "[insert requirement here]",
      "[Your summary]",
      "[TODO: say what was built]",
      "[TASK_SUMMARY]",
      "{{ summary }}",
      "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
    ]) {
      const text = writeContract({ dialect, value: { line: "DONE", message }, nonce: "n7" });
      expect(read(dialect, text)).toMatchObject({ code: "contract_placeholder", problems: [{ field: "message" }] });
    }
  });

  it.each([
    "test",
    "Example",
    "test the parser: N/A",
    "[P1] fix the parser",
    "[parser] reads lists",
    "[1, 2]",
    "[DONE]",
    "[docs](docs/reference/cli.md)",
    "replaces the lorem ipsum of the page",
  ])("[A-11] %j is an answer, not a placeholder", (message) => {
    const text = writeContract({ dialect, value: { line: "DONE", message }, nonce: "n7" });
    expect(read(dialect, text)).toEqual({ ok: true, value: { line: "DONE", message } });
  });

  it("reads the same from NFD, CRLF and a byte-order mark", () => {
    const text = writeContract({ dialect, value: { line: "DONE", message: "café" }, nonce: "n7" });
    const other = `\uFEFF${text.normalize("NFD").replace(/\n/g, "\r\n")}`;
    expect(read(dialect, other)).toEqual({ ok: true, value: { line: "DONE", message: "café" } });
  });

  it("survives rows of marks that no letter carries", () => {
    expect(read(dialect, `a${"\u0301\u0316".repeat(500)}\n\n${write(dialect)}`)).toEqual({ ok: true, value });
  });
});

describe("placeholders", () => {
  const Plan = z.object({
    title: z.string().optional(),
    kind: z.enum(["test", "build"]),
    day: z.iso.date(),
    dirs: z.array(z.string()),
    owner: z.object({ name: z.string(), note: z.string().optional() }),
    reasons: z.record(z.string(), z.string()),
    count: z.number().nullable(),
  });
  const plan = {
    title: "TODO",
    kind: "test",
    day: "2026-01-01",
    dirs: ["test"],
    owner: { name: "Ada" },
    reasons: {},
    count: null,
  };

  it("[A-11] enums, dates, optional texts and names in lists are left alone", () => {
    expect(refused(Plan, { ...plan, owner: { name: "Ada", note: "tbd" } })).toEqual([]);
  });

  it("[A-11] are found in lists, objects and records", () => {
    const bad = { ...plan, dirs: ["src", "TBD"], owner: { name: "xxx" }, reasons: { a: "<why>" } };
    expect(refused(Plan, bad)).toEqual([
      { field: "dirs[1]", expected: "an answer", found: 'the placeholder "TBD"' },
      { field: "owner.name", expected: "an answer", found: 'the placeholder "xxx"' },
      { field: "reasons.a", expected: "an answer", found: 'the placeholder "<why>"' },
    ]);
  });
});

describe("problems", () => {
  it("report the expected and the found value for each kind of problem", () => {
    const Odd = z.strictObject({
      list: z.array(z.object({ n: z.number().max(3) })),
      either: z.union([z.string(), z.object({ a: z.number() })]),
      day: z.iso.date(),
      tags: z.array(z.string()).max(1),
      even: z.number().refine((n) => n % 2 === 0, "an even number"),
      least: z.number().min(2),
      any: z.unknown(),
    });
    const given = {
      list: [{ n: 9 }],
      either: 3,
      day: "x",
      tags: ["a", "b"],
      even: 3,
      least: 1,
      more: { b: 1 },
      no: {},
    };
    expect(refused(Odd, given)).toEqual([
      { field: "list[0].n", expected: "at most 3", found: "9" },
      { field: "either", expected: "string or object", found: "3" },
      { field: "day", expected: "the form date", found: '"x"' },
      { field: "tags", expected: "at most 1 items", found: "a list of 2 items" },
      { field: "even", expected: "an even number", found: "3" },
      { field: "least", expected: "at least 2", found: "1" },
      { field: "any", expected: "a value", found: "nothing" },
      { field: "more", expected: "no such field", found: "an object with b" },
      { field: "no", expected: "no such field", found: "an object with no fields" },
    ]);
  });

  it("tell the whole contract, long values and unions in short", () => {
    expect(refused(z.object({}), ["x"])).toEqual([
      { field: "contract", expected: "object", found: "a list of 1 item" },
    ]);
    expect(refused(z.object({ a: z.null() }), { a: "y".repeat(500) })[0]?.found.length).toBeLessThan(90);
    const Either = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a") }),
      z.object({ kind: z.literal("b") }),
    ]);
    expect(refused(Either, { kind: "c" })).toMatchObject([{ field: "kind", found: '"c"' }]);
    const Nested = z.union([z.object({ a: z.number() }), z.object({ b: z.string() })]);
    expect(refused(Nested, {})).toEqual([
      { field: "contract", expected: "a: number or b: string", found: "an object with no fields" },
    ]);
  });

  it("are counted in the message and limited in number", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, 1]));
    expect(refused(z.strictObject({}), many)).toHaveLength(50);
    const reading = read("json", JSON.stringify({ nonce: "n7", contract: many }), z.strictObject({}));
    expect(reading).toMatchObject({ message: expect.stringContaining("and 20 more") });
  });
});
