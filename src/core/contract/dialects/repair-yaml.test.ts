import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cpuMs } from "../../../../test/support/cpu-clock.ts";
import { readContract } from "../read.ts";

const Done = z.strictObject({
  status: z.enum(["DONE", "ERROR"]),
  summary: z.string().optional(),
  note: z.string().nullable().optional(),
  count: z.number().optional(),
  files: z.array(z.string()).optional(),
  findings: z.array(z.strictObject({ title: z.string(), id: z.string() })).optional(),
});
const read = (...lines: string[]) => {
  const text = ["completion:", "  nonce: n7", "  status: DONE", ...lines.map((line) => `  ${line}`)].join("\n");
  return readContract({ dialect: "completion", text, nonce: "n7", schema: Done });
};
const value = (...lines: string[]) => {
  const reading = read(...lines);
  if (!reading.ok) return reading.message;
  const { status: _status, ...fields } = reading.value as { readonly [key: string]: unknown };
  return fields;
};

describe("YAML as models write it", () => {
  it.each([
    ["summary: fix: keep a: b", "fix: keep a: b"],
    ["summary: Fixed the bug:", "Fixed the bug:"],
    ['summary: "he said "no" to it"', 'he said "no" to it'],
    ["summary: 'it's done'", "it's done"],
    ['summary: "Foo" is renamed', '"Foo" is renamed'],
    ['summary: "matches \\d+ and \\"x\\""', 'matches \\d+ and "x"'],
    ["summary: `greet` is exported", "`greet` is exported"],
    ["summary: **Fixed** the bug", "**Fixed** the bug"],
    ["summary: [WIP] did it: half", "[WIP] did it: half"],
    ["summary: @scope/name is used", "@scope/name is used"],
    ["summary: remove(value) keeps #tail on its node", "remove(value) keeps #tail on its node"],
    ["summary: see #14 and #15", "see #14 and #15"],
    ["summary: all of it  # optional", "all of it"],
    ["summary: 12", "12"],
    ["summary: true", "true"],
    ["summary: 1.10", "1.10"],
    ["summary: 0012", "0012"],
    ["**summary**: all of it", "all of it"],
    ["`summary`: all of it", "all of it"],
  ])("reads the rest of a text's line as the text: %s", (line, summary) => {
    expect(value(line, "note: another")).toEqual({ summary, note: "another" });
  });

  it("reads a number as text if only text, or null, is valid", () => {
    expect(value("note: 12")).toEqual({ note: "12" });
    expect(value("note: null")).toEqual({ note: null });
    expect(value("count: 12")).toEqual({ count: 12 });
  });

  it("reads a text that starts on the line of its bar", () => {
    expect(value("summary: | first: line")).toEqual({ summary: "first: line\n" });
    expect(value("summary: | first", "     second: x", "note: a: b")).toEqual({
      summary: "first\nsecond: x\n",
      note: "a: b",
    });
  });

  it("leaves the text of a block unchanged", () => {
    expect(value("note: a: b", "summary: |", "  title: x: y", '  "z"', "count: 3")).toEqual({
      note: "a: b",
      summary: 'title: x: y\n"z"\n',
      count: 3,
    });
  });

  it("reads texts in lists, with colons, quotes and code in them", () => {
    const files = ["files:", "  - src/a.ts: greets: people", '  - "b" is new', "  - `c.ts`", "  - d.ts: moved"];
    expect(value(...files, "count: 3")).toEqual({
      files: ["src/a.ts: greets: people", '"b" is new', "`c.ts`", "d.ts: moved"],
      count: 3,
    });
    expect(value("findings:", "  - title: a: b", "    id: 01", "  - id: F-2", "    title: `c` d")).toEqual({
      findings: [
        { title: "a: b", id: "01" },
        { id: "F-2", title: "`c` d" },
      ],
    });
  });

  it.each(["completion", "status"] as const)("reads keys in bold and a nonce in backticks: %s", (dialect) => {
    const fields = ["**nonce**: `n7`", "**status**: `DONE`", "`summary`: all: of it"];
    const text = dialect === "status" ? fields.join("\n") : ["completion:", ...fields].join("\n  ");
    const expected = { ok: true, value: { status: "DONE", summary: "all: of it" } };
    expect(readContract({ dialect, text: `Done.\n\n${text}`, nonce: "n7", schema: Done })).toEqual(expected);
    const other = readContract({ dialect, text, nonce: "n8", schema: Done });
    expect(other).toMatchObject({ ok: false, code: "contract_missing" });
  });

  it("reads one tab as one level, unless spaces are used too", () => {
    const text = "completion:\n\tnonce: n7\n\tstatus: DONE\n\tfiles:\n\t\t- a";
    const schema = Done;
    expect(readContract({ dialect: "completion", text, nonce: "n7", schema })).toMatchObject({
      value: { files: ["a"] },
    });
    const mixed = text.replace("\t\t-", "\t  -");
    expect(readContract({ dialect: "completion", text: mixed, nonce: "n7", schema })).toMatchObject({
      code: "contract_invalid",
    });
  });

  it.each([
    ["a field that is no text", "count: 3: 4"],
    ["a quote that is never closed", "summary: 'open"],
    ["a text that goes on below", "summary: a: b\n      c: d"],
    ["an anchor", "summary: &a text"],
    ["an alias", "summary: *a"],
    ["a tag", "summary: !!str text"],
    ["a field twice", "summary: a: b\n  summary: c"],
    ["a reserved name", "summary: a: b\n  __proto__: x"],
  ])("refuses %s still", (_what, line) => {
    expect(read(line)).toMatchObject({ ok: false, code: "contract_invalid" });
  });

  it("reports the line of an error, its text and the fix", () => {
    const reading = read("count: 3: 4", "note: fine");
    expect(reading.ok ? [] : reading.problems).toEqual([
      {
        field: "count",
        expected: "YAML that holds plain data",
        found: expect.stringContaining("Nested mappings"),
        line: 4,
        excerpt: "count: 3: 4",
        advice: expect.stringContaining("write | after the key"),
      },
    ]);
    expect(reading.ok ? "" : reading.message).toContain("in line 4 (count: 3: 4): for text");
  });

  it("is mended in time that grows with the text", () => {
    const build = (size: number) => Array.from({ length: size }, () => `summary: a: "b" 'c' | > [`).join("\n  ");
    const ms = (size: number) => {
      const start = cpuMs();
      read(build(size));
      return cpuMs() - start;
    };
    ms(10);
    expect(ms(4_000)).toBeLessThan(32 * Math.max(ms(500), 4));
  });
});
