import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readContract } from "./read.ts";

const Completion = z.strictObject({
  status: z.enum(["DONE", "NEEDS_REVISION", "ERROR"]),
  summary: z.string().max(200),
  severity: z.enum(["Blocker", "Major"]).nullable(),
  output_paths: z.array(z.string()).min(1),
});
const good = [
  "completion:",
  "  nonce: n7",
  "  status: DONE",
  "  summary: wrote the plan",
  "  severity: null",
  "  output_paths:",
  "    - plan.md",
].join("\n");
const value = { status: "DONE", summary: "wrote the plan", severity: null, output_paths: ["plan.md"] };
const read = (text: string, signature?: string) =>
  readContract({
    dialect: "completion",
    text,
    nonce: "n7",
    schema: Completion,
    ...(signature === undefined ? {} : { signature }),
  });
const found = (text: string) => {
  const reading = read(text);
  return reading.ok ? "read" : (reading.problems[0]?.found ?? "");
};

describe("the completion dialect", () => {
  it("[L-24] reads the block bare, fenced, and behind other keys", () => {
    expect(read(good)).toEqual({ ok: true, value });
    expect(read(`Here:\n\`\`\`yaml\nagent_output:\n  step: 3\n${good}\n\`\`\`\nBye.`)).toEqual({ ok: true, value });
    expect(read(`${good}\n\nThat is all.`)).toEqual({ ok: true, value });
    expect(read(good.replace(/\n {2}/g, "\n\n  "))).toEqual({ ok: true, value });
  });

  describe("beside a report under agent_output", () => {
    const schema = z.looseObject({
      status: z.enum(["DONE", "ERROR"]),
      summary: z.string().max(200),
      verdict: z.enum(["approve", "blocker"]),
      findings: z.array(z.string()).optional(),
    });
    const report = (...lines: readonly string[]) =>
      ["agent_output:", "  agent: reviewer", "  payload:", ...lines.map((line) => `    ${line}`)].join("\n");
    const end = "completion:\n  nonce: n7\n  status: DONE\n  summary: looked";
    const both = (text: string) => readContract({ dialect: "completion", text, nonce: "n7", schema });

    it("takes omitted fields from its payload, before or after it", () => {
      const payload = report("verdict: Blocker", "summary: at more length", "findings:", "  - a: b # 3", "extra: 1");
      const value = { status: "DONE", summary: "looked", verdict: "blocker", findings: ["a: b # 3"], extra: 1 };
      for (const text of [`${payload}\n\n${end}`, `\`\`\`yaml\n${payload}\n${end}\n\`\`\``, `${end}\n${payload}`])
        expect(both(text)).toEqual({ ok: true, value });
      expect(both(`${payload}\n${end}\n  findings: null`)).toEqual({ ok: true, value });
    });

    it("is refused if both have different values, or the report cannot be read", () => {
      expect(both(`${report("verdict: blocker")}\n${end}\n  verdict: approve`)).toMatchObject({
        ok: false,
        problems: [{ field: "verdict", expected: "one value" }],
      });
      expect(both(`${report("verdict: 'open")}\n${end}\n  verdict: approve`)).toMatchObject({
        code: "contract_invalid",
      });
    });

    it("ignores a report elsewhere in the message", () => {
      const far = `${report("verdict: approve")}\nThat was the earlier one.\n${end}`;
      expect(both(far)).toMatchObject({ ok: false, problems: [{ field: "verdict" }] });
    });
  });

  it("[L-24] a completion without the nonce, or in a quotation, is missing", () => {
    expect(read(good.replace("n7", "n8"))).toMatchObject({ code: "contract_missing" });
    expect(read(good.replace(/^/gm, "> "))).toMatchObject({ code: "contract_missing" });
    expect(read("completion: n7")).toMatchObject({ code: "contract_missing" });
    expect(read("completion:\n  - n7")).toMatchObject({ code: "contract_missing" });
    expect(read("completion:\n  note: n7")).toMatchObject({ code: "contract_missing" });
  });

  it("[L-39] names every field that violates the schema", () => {
    const text = good.replace("DONE", "FINE").replace("    - plan.md", "    []").replace("wrote", "x".repeat(250));
    expect(read(text)).toMatchObject({
      code: "contract_invalid",
      problems: [
        { field: "status", expected: "DONE | NEEDS_REVISION | ERROR", found: '"FINE"' },
        { field: "summary", expected: "at most 200 characters" },
        { field: "output_paths", expected: "at least 1 items", found: "a list of 0 items" },
      ],
    });
  });

  it("refuses everything in YAML that is not plain data", () => {
    const summary = (text: string) => good.replace("wrote the plan", text);
    expect(found(summary("&a wrote"))).toBe("an anchor");
    expect(found(summary("*a"))).toBe("an alias");
    expect(found(summary("!!str wrote"))).toBe("a tag");
    expect(found(`${good}\n  ? x\n  : y`)).toBe("an explicit key");
    expect(found(`${good}\n  <<: {a: 1}`)).toBe("a reserved name");
    expect(found(`${good}\n  __proto__: {a: 1}`)).toBe("a reserved name");
    expect(found(`${good}\n  status: ERROR`)).toBe("the field twice");
    expect(found("completion:\n  [a, b]: c\n  nonce: n7")).toBe("a structure as a key");
    expect(found(`${good}\n  score: .inf`)).toBe("Infinity");
    expect(found(`${good}\n  score: [.nan]`)).toBe("NaN");
    expect(found(summary("'open"))).toContain("quote");
  });

  it("refuses depth and size before they cost anything", () => {
    const summary = (text: string) => good.replace("wrote the plan", text);
    const levels = Array.from({ length: 25 }, (_, at) => `${" ".repeat(at + 2)}k:`).join("\n");
    expect(found(summary("[".repeat(100_000)))).toBe("more than 20 levels");
    expect(found(summary("{a: ".repeat(60_000)))).toBe("more than 20 levels");
    expect(found(summary(`\n    ${"- ".repeat(100_000)}x`))).toBe("more than 20 levels");
    expect(found(summary(`\n    ${"a: ".repeat(80_000)}x`))).toBe("more than 20 levels");
    expect(found(`${good}\n${levels}`)).toBe("more than 20 levels");
    expect(found(summary("x".repeat(300_000)))).toContain("bytes");
    expect(found(summary(`[${"x,".repeat(60_000)}]`))).toContain("tokens");
  });

  it("reads text that looks like an indicator as text", () => {
    expect(read(good.replace("wrote the plan", "a &b *c !d"))).toMatchObject({ value: { summary: "a &b *c !d" } });
  });

  it("[R-16] a signature stands beside the nonce", () => {
    expect(read(`${good}\n  signature: S`, "S")).toEqual({ ok: true, value });
    expect(read(good, "S")).toMatchObject({ code: "signature_missing" });
  });

  it("a nonce of digits is compared as it was written", () => {
    const text = good.replace("n7", "0012");
    expect(readContract({ dialect: "completion", text, nonce: "0012", schema: Completion })).toEqual({
      ok: true,
      value,
    });
    expect(readContract({ dialect: "completion", text, nonce: "12", schema: Completion })).toMatchObject({ ok: false });
  });
});
