import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readContract } from "./read.ts";

const Verdict = z.strictObject({ status: z.enum(["APPROVED", "REJECTED"]), issues: z.array(z.string()) });
const good = '{"nonce":"n7","contract":{"status":"APPROVED","issues":[]}}';
const read = (text: string, signature?: string) =>
  readContract({
    dialect: "json",
    text,
    nonce: "n7",
    schema: Verdict,
    ...(signature === undefined ? {} : { signature }),
  });
const value = { status: "APPROVED", issues: [] };

describe("the json dialect", () => {
  it("reads a bare object, a fenced one and one in lines", () => {
    expect(read(good)).toEqual({ ok: true, value });
    expect(read(`Done.\n\n\`\`\`json\n${good}\n\`\`\`\nBye.`)).toEqual({ ok: true, value });
    expect(read(`Done.\n${JSON.stringify(JSON.parse(good), null, 2)}`)).toEqual({ ok: true, value });
  });

  it("[A-07] ignores a quoted contract inside a text", () => {
    const outer = JSON.stringify({ nonce: "other", contract: { status: "APPROVED", issues: [good] } });
    expect(read(outer)).toMatchObject({ code: "contract_missing" });
    expect(read(`${outer}\n${good}`)).toEqual({ ok: true, value });
    expect(read(`see ${good}`)).toMatchObject({ code: "contract_missing" });
  });

  it("continues after braces that are not JSON", () => {
    expect(read(`{ not json }\n{ "open\n{ [ }\n${good}`)).toMatchObject({ ok: true });
  });

  it.each([
    ['{"nonce":"n7","contract":{"status":"APPROVED"', "an unterminated object"],
    ['{"nonce":"n7","contract":{"status":"APPRO', "an unterminated string"],
    [`${good}{}`, "{}"],
    [good.replace("[]", '["a" "b"]'), "Expected ',' or ']'"],
    [good.replace('"issues"', '"status"'), "the field twice"],
    [good.replace('"issues"', '"\\u0073tatus"'), "the field twice"],
    [good.replace('"issues"', '"__proto__"'), "a reserved name"],
    [good.replace("[]", `${"[".repeat(30)}${"]".repeat(30)}`), "more than 20 levels"],
    [good.replace("[]", `["${"x".repeat(300_000)}"]`), "at least 3000"],
    [good.replace("[]", `["${"ä".repeat(140_000)}"]`), "at least 2800"],
  ])("refuses %.60s", (text, found) => {
    const reading = read(text);
    expect(reading).toMatchObject({ ok: false, code: "contract_invalid" });
    expect(reading.ok ? "" : reading.problems[0]?.found).toContain(found);
  });

  it("an object that is broken and has another nonce is a quotation", () => {
    expect(read(`${good.replace("n7", "n8").replace("[]", "[1,]")}\n${good}`)).toMatchObject({ ok: true });
    expect(read('{"nonce":"n7"}')).toMatchObject({ code: "contract_invalid" });
  });

  it("a deep object does not exhaust the stack", () => {
    const deep = `{"nonce":"n7","contract":${"[".repeat(100_000)}`;
    expect(read(deep)).toMatchObject({ code: "contract_invalid", problems: [{ found: "more than 20 levels" }] });
  });

  it("[R-16] a signature stands beside the nonce", () => {
    expect(read(good.replace(',"contract"', ',"signature":"S","contract"'), "S")).toMatchObject({ ok: true });
    expect(read(good, "S")).toMatchObject({ code: "signature_missing" });
    expect(read(good.replace(',"contract"', ',"signature":7,"contract"'), "S")).toMatchObject({
      code: "signature_mismatch",
    });
  });
});
