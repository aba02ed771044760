import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readContract } from "./read.ts";
import { writeContract } from "./write.ts";

const Line = z.object({ line: z.enum(["DONE", "NEEDS_REVISION", "ERROR"]), message: z.string().min(1) });
const read = (text: string, signature?: string, schema: z.ZodType = Line) =>
  readContract({ dialect: "line", text, nonce: "n7", schema, ...(signature === undefined ? {} : { signature }) });

describe("the line dialect", () => {
  it.each(["DONE", "NEEDS_REVISION", "ERROR"])("[C-03] reads %s from the last line", (line) => {
    expect(read(`Work.\n\n${line}[n7]: all of it  \n\n  \n`)).toEqual({
      ok: true,
      value: { line, message: "all of it" },
    });
  });

  it("[C-03] the same words in quoted output do not count", () => {
    expect(read("make: DONE: 3 files\nDONE: yes\nERROR[other]: no\n> DONE[n7]: quoted\nERROR[n7]: broken")).toEqual({
      ok: true,
      value: { line: "ERROR", message: "broken" },
    });
    expect(read("```\nDONE[n7]: quoted\n```\nERROR[n7]: broken")).toMatchObject({ ok: true, value: { line: "ERROR" } });
  });

  it.each([
    "DONE: without a nonce",
    "DONE[n8]: of another dispatch",
    "DONE[n7]: fine\nThanks!",
    " DONE[n7]: indented",
    "> DONE[n7]: quoted",
    "FINE[n7]: unknown",
    "DONE[n7] no colon",
    "",
  ])("[C-03] %j is no contract", (text) => {
    expect(read(text)).toMatchObject({ ok: false, code: "contract_missing" });
  });

  it.each([
    "```\nDONE[n7]: all of it\n```",
    "**DONE[n7]: all of it**",
    "**DONE[n7]:** all of it",
    "**DONE[n7]**: all of it",
    "`DONE[n7]: all of it`",
    "**DONE**[n7]: all of it",
    "Done[n7]: all of it",
    "DONE [n7]: all of it",
    "DONE[n7] : all of it",
  ])("[C-03] %j cannot be misunderstood", (text) => {
    expect(read(`Work.\n\n${text}`)).toEqual({ ok: true, value: { line: "DONE", message: "all of it" } });
  });

  it("[C-03] marks inside the message belong to it", () => {
    expect(read("**DONE[n7]: `a` and **b****")).toMatchObject({ value: { message: "`a` and **b**" } });
    expect(read("**DONE[n7]**: `a` and b")).toMatchObject({ value: { message: "`a` and b" } });
  });

  it("[C-03] a word may be written with a blank", () => {
    expect(read("Needs revision[n7]: a b")).toMatchObject({ value: { line: "NEEDS_REVISION" } });
  });

  it("[A-07] two lines with the nonce are ambiguous", () => {
    expect(read("DONE[n7]: a\nERROR[n7]: b")).toMatchObject({ code: "contract_ambiguous" });
  });

  it("reads a message to the end of its line, whatever other separators it holds", () => {
    expect(read("DONE[n7]: one\u2028two")).toEqual({ ok: true, value: { line: "DONE", message: "one\u2028two" } });
  });

  it("leaves words and message to the role's schema", () => {
    expect(read("DONE[n7]:")).toMatchObject({ code: "contract_invalid", problems: [{ field: "message" }] });
    const only = z.object({ line: z.enum(["DONE", "ERROR"]), message: z.string() });
    expect(read("NEEDS_REVISION[n7]: x y", undefined, only)).toMatchObject({
      problems: [{ field: "line", expected: "DONE | ERROR", found: '"NEEDS_REVISION"' }],
    });
    expect(read(`DONE[n7]: ${"x".repeat(300_000)}`)).toMatchObject({ code: "contract_invalid" });
  });

  it("[R-16] a signature stands on the line above", () => {
    expect(read("Agent Signature: S\nDONE[n7]: a b", "S")).toMatchObject({ ok: true });
    expect(read("Agent Signature: `S`\nDONE[n7]: a b", "S")).toMatchObject({ code: "signature_mismatch" });
    expect(read("DONE[n7]: a b", "S")).toMatchObject({ code: "signature_missing" });
  });

  it("a schema that asks for it gets what stands above the line, and writes it there", () => {
    const Told = Line.extend({ above: z.string().optional() });
    const text = "Issue: a → Resolution: b\n\nDONE[n7]: all of it\n";
    expect(read(text, undefined, Told)).toMatchObject({ ok: true, value: { above: "Issue: a → Resolution: b" } });
    expect(read(text)).toEqual({ ok: true, value: { line: "DONE", message: "all of it" } });
    const value = { line: "DONE", message: "all of it", above: "Issue: a → Resolution: b" };
    expect(read(writeContract({ dialect: "line", value, nonce: "n7" }), undefined, Told)).toEqual({ ok: true, value });
  });
});
