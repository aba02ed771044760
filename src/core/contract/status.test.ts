import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readContract } from "./read.ts";

const Task = z.strictObject({
  status: z.enum(["ACCEPTED", "REJECTED"]),
  notes: z.string(),
  files: z.array(z.string()).optional(),
});
const good = "nonce: n7\nstatus: ACCEPTED\nnotes: fine work";
const value = { status: "ACCEPTED", notes: "fine work" };
const read = (text: string, signature?: string) =>
  readContract({
    dialect: "status",
    text,
    nonce: "n7",
    schema: Task,
    ...(signature === undefined ? {} : { signature }),
  });

describe("the status dialect", () => {
  it("reads a bare mapping among prose and a fenced one", () => {
    expect(read(good)).toEqual({ ok: true, value });
    expect(read(`I am done.\n${good}\nThat was all of it.`)).toEqual({ ok: true, value });
    expect(read(`Note: careful\n\n${good}\n\nNote: bye`)).toEqual({ ok: true, value });
    expect(read(`\`\`\`yaml\n---\n${good}\n\`\`\``)).toEqual({ ok: true, value });
    expect(read('"nonce": "n7"\n# a remark\n\'status\' : ACCEPTED\nnotes: fine work')).toEqual({ ok: true, value });
  });

  it("blank lines end a bare mapping, but neither a fenced one nor an indented value", () => {
    const spaced = "nonce: n7\n\nstatus: ACCEPTED\n\nnotes: fine work";
    expect(read(`~~~\n${spaced}\n~~~`)).toEqual({ ok: true, value });
    expect(read(spaced)).toMatchObject({ code: "contract_invalid" });
    expect(read(`${good.replace("fine work", "|-\n  one\n   \n  two")}`)).toMatchObject({
      value: { notes: "one\n\ntwo" },
    });
    expect(read(`${good}\nfiles:\n- a.ts\n- b.ts`)).toEqual({ ok: true, value: { ...value, files: ["a.ts", "b.ts"] } });
  });

  it("[A-07] a mapping with another nonce is a quotation, two with this one are ambiguous", () => {
    const other = good.replace("n7", "n8").replace("ACCEPTED", "REJECTED");
    expect(read(`${other}\n\n${good}`)).toEqual({ ok: true, value });
    expect(read(`${other}\n${good}`)).toEqual({ ok: true, value });
    expect(read(other)).toMatchObject({ code: "contract_missing" });
    expect(read(`${good}\n${good}`)).toMatchObject({ code: "contract_ambiguous" });
    expect(read(`${good}\n\n\`\`\`\n${good}\n\`\`\``)).toMatchObject({ code: "contract_ambiguous" });
  });

  it("a nonce below the top does not make a contract", () => {
    expect(read("task:\n  nonce: n7\n  status: ACCEPTED")).toMatchObject({ code: "contract_missing" });
    expect(read("nonce: other\nnotes: n7\nstatus: ACCEPTED")).toMatchObject({ code: "contract_missing" });
  });

  it("refuses what is not a mapping of fields", () => {
    expect(read(`${good}\n- item`)).toMatchObject({ code: "contract_invalid" });
    expect(read(`${good}\nnotes: again`)).toMatchObject({ problems: [{ field: "notes", found: "the field twice" }] });
  });

  it("[R-16] a signature stands beside the nonce", () => {
    expect(read(`${good}\nsignature: S`, "S")).toEqual({ ok: true, value });
    expect(read(`${good}\nsignature: T`, "S")).toMatchObject({ code: "signature_mismatch" });
  });
});
