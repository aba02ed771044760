import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { often } from "../../../test/often.ts";
import type { Json } from "../text/json.ts";
import { asMeant } from "./adapt-value.ts";
import { readContract } from "./read.ts";
import { shapeOf } from "./shape.ts";
import { renderContractTemplate } from "./template.ts";
import { writeContract } from "./write.ts";

const Answer = z.strictObject({
  status: z.enum(["done", "needs_revision", "error"]),
  confidence: z.number().min(0).max(1),
  is_abstaining: z.boolean(),
  summary: z.string(),
  verdict: z.enum(["ship", "hold"]).nullable(),
  error_class: z.enum(["transient", "fixable"]).optional(),
  handoff: z.strictObject({ to: z.string(), tries: z.number().optional() }).optional(),
  files: z.array(z.string()),
});
type Answer = z.infer<typeof Answer>;

const text = fc.constantFrom("all of it", "fix: a: b", 'he said "no"', "it's 12 # 3", "true", "12", "- x", "`a` b");
const answer: fc.Arbitrary<Answer> = fc.record(
  {
    status: fc.constantFrom("done" as const, "needs_revision" as const, "error" as const),
    confidence: fc.constantFrom(0, 0.5, 1),
    is_abstaining: fc.boolean(),
    summary: text,
    verdict: fc.constantFrom("ship" as const, "hold" as const, null),
    error_class: fc.constantFrom("transient" as const, "fixable" as const),
    handoff: fc.record({ to: text }),
    files: fc.array(text, { maxLength: 3 }),
  },
  { requiredKeys: ["status", "confidence", "is_abstaining", "summary", "verdict", "files"] },
);

const NONCE = "k7q2-x9w4";
const DIALECTS = ["json", "completion", "status", "markdown"] as const;
const dialect = fc.constantFrom(...DIALECTS);
const read = (given: { dialect: (typeof DIALECTS)[number]; text: string; signature?: string }) =>
  readContract({ nonce: NONCE, schema: Answer, ...given });

/** The same answer in each dialect, written carelessly. */
const loosely: Readonly<Record<string, (value: Answer) => { readonly [key: string]: Json | undefined }>> = {
  "numbers as text": (value) => ({ ...value, confidence: String(value.confidence) }),
  "booleans as text": (value) => ({ ...value, is_abstaining: value.is_abstaining ? "True" : "false" }),
  "null for what may be left out": (value) => ({ ...value, error_class: value.error_class ?? null }),
  "none for what may be left out": (value) => ({ ...value, error_class: value.error_class ?? "none" }),
  "capitals and blanks": (value) => ({ ...value, status: value.status.replace("_", " ").toUpperCase() }),
  "bold and backticks": (value) => ({
    ...value,
    status: `**${value.status}**`,
    error_class: value.error_class && `\`${value.error_class}\``,
  }),
  "null as a word": (value) => ({ ...value, verdict: value.verdict ?? "null" }),
  "names in other letters": ({ error_class, is_abstaining, ...value }) => ({
    ...value,
    IsAbstaining: is_abstaining,
    ...(error_class && { errorClass: error_class }),
  }),
};

describe("a contract that is written loosely", () => {
  it.each(Object.keys(loosely))("reads as the strict one: %s", (name) => {
    fc.assert(
      fc.property(answer, dialect, (value, dialect) => {
        const loose = loosely[name]?.(value) ?? {};
        const strict = read({ dialect, text: writeContract({ dialect, value: value as Json, nonce: NONCE }) });
        expect(strict).toEqual({ ok: true, value });
        expect(read({ dialect, text: writeContract({ dialect, value: loose as Json, nonce: NONCE }) })).toEqual(strict);
      }),
      { numRuns: often(60, 400) },
    );
  });

  it("changes nothing that its schema accepts", () => {
    fc.assert(
      fc.property(answer, (value) => {
        expect(asMeant(value as Json, shapeOf(Answer))).toEqual(value);
      }),
    );
    const Loose = z.object({
      any: z.json(),
      record: z.record(z.string(), z.string()),
      either: z.union([z.string(), z.number()]),
    });
    const value = { any: { A_b: "12", n: null }, record: { A_b: "true" }, either: "12" };
    expect(asMeant(value, shapeOf(Loose))).toEqual(value);
  });

  it.each([
    ["a word that names no option", { status: "finished" }],
    ["a word that says more than the option", { status: "done, mostly" }],
    ["a number with words", { confidence: "about 0.9" }],
    ["a truth with words", { is_abstaining: "no" }],
    ["null for what must be there", { summary: null }],
    ["a text for a list", { files: { a: "b" } }],
  ])("is refused where it is ambiguous: %s", (_what, change) => {
    const value = { status: "done", confidence: 1, is_abstaining: true, summary: "x y", verdict: null, files: [] };
    const text = writeContract({ dialect: "json", value: { ...value, ...change }, nonce: NONCE });
    expect(read({ dialect: "json", text })).toMatchObject({ ok: false, code: "contract_invalid" });
  });

  it("two options with the same normalized word are distinguished by their exact form only", () => {
    const schema = z.object({ word: z.enum(["Done", "DONE"]) });
    const of = (word: string) =>
      readContract({ dialect: "json", nonce: "n", schema, text: JSON.stringify({ nonce: "n", contract: { word } }) });
    expect(of("DONE")).toEqual({ ok: true, value: { word: "DONE" } });
    expect(of("done")).toMatchObject({ code: "contract_invalid" });
  });

  it("two names for one field are not joined", () => {
    const text = `{"nonce":"${NONCE}","contract":{"status":"done","Status":"error"}}`;
    const reading = read({ dialect: "json", text });
    expect(reading.ok ? [] : reading.problems).toMatchObject([{ field: "status", found: "status and Status" }]);
  });

  it.each(DIALECTS)("[A-07] [A-11] [R-16] opens no door that was shut: %s", (dialect) => {
    const value = {
      status: "done",
      confidence: 1,
      is_abstaining: true,
      summary: "all of it",
      verdict: null,
      files: [],
    };
    const text = writeContract({ dialect, value, nonce: NONCE, signature: "BLUE_OTTER" });
    const signed = (text: string) => {
      const reading = read({ dialect, text, signature: "BLUE_OTTER" });
      return reading.ok ? "read" : reading.code;
    };
    expect(signed(text)).toBe("read");
    expect(signed(text.replace(NONCE, "k7q2-x9w5"))).toBe("contract_missing");
    expect(signed(text.replace(/^/gm, "> "))).toBe("contract_missing");
    expect(signed(`${text}\n\n${text}`)).toBe("contract_ambiguous");
    expect(signed(text.replace("BLUE_OTTER", "SILVER_KITE"))).toBe("signature_mismatch");
    expect(signed(text.replace("BLUE_OTTER", "`BLUE_OTTER`"))).toBe("signature_mismatch");
    expect(signed(text.replace("all of it", "<what was done>"))).toBe("contract_placeholder");
    const template = renderContractTemplate({ dialect, schema: Answer, nonce: NONCE, signed: true });
    expect(signed(template)).toBe("contract_placeholder");
  });
});

describe("a field that is given twice", () => {
  const schema = z.object({
    verdict: z.enum(["approve", "revise"]),
    findings: z.array(z.object({ severity: z.string() })).default([]),
  });
  const read = (contract: object) =>
    readContract({ dialect: "json", schema, nonce: "n1", text: JSON.stringify({ nonce: "n1", contract }) });

  it.each([
    [{ verdict: "approve", Verdict: "revise" }, "verdict"],
    [{ verdict: "approve", findings: [], Findings: [{ severity: "blocker" }] }, "findings"],
    [{ verdict: "approve", findings: [{ severity: "minor", "**Severity**": "blocker" }] }, "findings[0].severity"],
  ])("in other words is refused, however it is spelt: %j", (contract, field) => {
    expect(read(contract)).toMatchObject({ ok: false, problems: [{ field, expected: "one value" }] });
  });

  it("once inside the contract and otherwise beside it is refused", () => {
    const text = JSON.stringify({ nonce: "n1", verdict: "revise", contract: { verdict: "approve" } });
    const reading = readContract({ dialect: "json", schema, nonce: "n1", text });
    expect(reading).toMatchObject({ ok: false, problems: [{ field: "verdict", expected: "one value" }] });
  });

  it("in the same words is read", () => {
    expect(read({ verdict: "approve", Verdict: "approve" })).toMatchObject({ ok: true });
  });
});
