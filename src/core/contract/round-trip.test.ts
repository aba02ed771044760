import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { often } from "../../../test/often.ts";
import { SignalboxError } from "../failure/errors.ts";
import { DIALECTS } from "./dialect.ts";
import { readContract } from "./read.ts";
import { writeContract } from "./write.ts";

/** Messages are normalized to NFC, so values survive only in that form. Negative zero does not. */
const text = fc.string({ unit: "binary", maxLength: 40 }).map((value) => value.normalize("NFC"));
const words = fc.oneof(
  text,
  fc.constantFrom("none", "null", "true", "12", "-", "- a", "`x`", '"', "[]", "{}", "a: b", "# x"),
);
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => value + 0 || 0);
const key = fc.stringMatching(/^[a-z]{1,8}$/).filter((name) => name !== "constructor" && name !== "prototype");

const Schema = z.strictObject({
  status: z.enum(["success", "blocked"]),
  summary: z.string(),
  findings: z.array(z.strictObject({ path: z.string(), count: z.number(), fixed: z.boolean().nullable() })),
  openQuestions: z.array(z.string()),
  score: z.number().optional(),
  byName: z.record(z.string(), z.array(z.string())),
  scope: z.union([z.string(), z.array(z.string())]),
  anything: z.json(),
});
const value: fc.Arbitrary<z.infer<typeof Schema>> = fc.record(
  {
    status: fc.constantFrom("success" as const, "blocked" as const),
    summary: words,
    findings: fc.array(fc.record({ path: words, count: number, fixed: fc.option(fc.boolean()) }), { maxLength: 3 }),
    openQuestions: fc.array(words, { maxLength: 4 }),
    score: number,
    byName: fc.dictionary(key, fc.array(words, { maxLength: 2 }), { maxKeys: 3, noNullPrototype: true }),
    scope: fc.oneof(words, fc.array(words, { maxLength: 3 })),
    anything: fc.oneof(words, number, fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 2 })),
  },
  { requiredKeys: ["status", "summary", "findings", "openQuestions", "byName", "scope", "anything"] },
);
const nonce = fc.stringMatching(/^[a-z0-9-]{4,16}$/).filter((name) => !name.startsWith("-"));
const prose = fc.constantFrom("", "I am done.\n\n", "Note: look\n\n", "\uFEFFHello\r\n\r\n", "```\nquoted\n```\n");

describe("a written contract", () => {
  it.each(DIALECTS.filter((dialect) => dialect !== "line"))("reads back to an equal value in %s", (dialect) => {
    fc.assert(
      fc.property(value, nonce, prose, (value, nonce, prose) => {
        // Placeholders are refused by rule A-11 and have their own tests.
        fc.pre(!/"(?:[.…?]+|<[^<>]*>)"/.test(JSON.stringify(value)));
        const text = `${prose}${writeContract({ dialect, value, nonce, signature: "S_V" })}\n`;
        expect(readContract({ dialect, text, nonce, schema: Schema, signature: "S_V" })).toEqual({ ok: true, value });
      }),
      { numRuns: often(100, 400) },
    );
  });

  it("reads back to an equal value in line, white space aside", () => {
    const schema = z.strictObject({ line: z.enum(["DONE", "NEEDS_REVISION", "ERROR"]), message: z.string() });
    const line = fc.constantFrom("DONE" as const, "NEEDS_REVISION" as const, "ERROR" as const);
    fc.assert(
      fc.property(line, words, nonce, (line, message, nonce) => {
        fc.pre(!/^\s*(?:[.…?]+|<[^<>]*>)\s*$/.test(message));
        const text = writeContract({ dialect: "line", value: { line, message }, nonce });
        const one = message.replace(/\s+/g, " ").trim();
        expect(readContract({ dialect: "line", text, nonce, schema })).toEqual({
          ok: true,
          value: { line, message: one },
        });
      }),
      { numRuns: often(100, 400) },
    );
  });

  it("has fields in every dialect but json", () => {
    expect(() => writeContract({ dialect: "status", value: [1], nonce: "n7" })).toThrow(SignalboxError);
    expect(() => writeContract({ dialect: "line", value: null, nonce: "n7" })).toThrow(/consists of fields/);
    const text = writeContract({ dialect: "json", value: [1], nonce: "n7" });
    expect(readContract({ dialect: "json", text, nonce: "n7", schema: z.array(z.number()) })).toEqual({
      ok: true,
      value: [1],
    });
  });

  it.each(DIALECTS)("may leave out every optional field in %s", (dialect) => {
    const schema = z.object({ line: z.string().optional(), message: z.string().optional() });
    const value = dialect === "line" ? { line: "DONE" } : { line: undefined };
    const text = writeContract({ dialect, value, nonce: "n 7" });
    expect(readContract({ dialect, text, nonce: "n 7", schema })).toMatchObject({ ok: true });
  });
});
