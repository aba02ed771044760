import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DIALECTS } from "./dialect.ts";
import { readContract } from "./read.ts";
import { contractTemplate } from "./template.ts";

type Node = { name: string; kids: Node[] };
const Tree: z.ZodType<Node> = z.object({
  name: z.string(),
  get kids() {
    return z.array(Tree);
  },
});
const Review = z.strictObject({
  status: z.enum(["success", "blocked"]),
  verdict: z.enum(["ship", "needs_work"]).nullable(),
  mode: z.literal("design"),
  evidence: z.array(z.string()).min(1),
  blockedReason: z.string().describe("why nothing can go on").optional(),
  score: z.number(),
  clean: z.boolean(),
  reviewed: z.iso.date(),
  byFile: z.record(z.string(), z.number()),
  pair: z.tuple([z.string(), z.string()]),
  anything: z.unknown(),
  level: z.literal([1, 2]).optional(),
});
const template = (dialect: (typeof DIALECTS)[number], schema: z.ZodType = Review, signed = false) =>
  contractTemplate({ dialect, schema, nonce: "n7", signed });

describe("the template of a contract", () => {
  it("[R-31] shows fields, options and lists in markdown", () => {
    expect(template("markdown").split("\n")).toEqual(
      expect.arrayContaining([
        "### Orchestrator Contract",
        "- Nonce: n7",
        "- Status: success | blocked",
        "- Verdict: ship | needs_work | null",
        "- Mode: design",
        "- Evidence:",
        "  - <text>",
        "- Blocked reason: <why nothing can go on; leave out if there is none>",
        "- Score: <number>",
        "- Clean: true | false",
        "- Anything: <value>",
        '- Level: "1 | 2 <leave out if there is none>"',
      ]),
    );
  });

  it("shows the nonce in each dialect's own place", () => {
    expect(template("json")).toContain('"nonce": "n7"');
    expect(template("completion")).toContain("completion:\n  nonce: n7\n");
    expect(template("status")).toContain("nonce: n7\n");
    expect(template("line")).toContain("DONE[n7]: <one sentence>");
  });

  it("[C-03] offers only the words that the role may use", () => {
    const schema = z.object({ line: z.enum(["DONE", "ERROR"]), message: z.string().describe("what was built") });
    expect(template("line", schema)).toContain("    DONE[n7]: <what was built>\n    ERROR[n7]: <what was built>");
    expect(template("line", schema)).not.toContain("NEEDS_REVISION");
  });

  it.each(DIALECTS)("[R-30] asks a signed role for its own value in %s", (dialect) => {
    const sentence = "Return Agent Signature using your own SIGNED_VALUE from your agent markdown.";
    expect(template(dialect, Review, true)).toContain(sentence);
    expect(template(dialect)).not.toContain("SIGNED_VALUE");
  });

  it.each(DIALECTS)("[A-11] given back, it is never a contract: %s", (dialect) => {
    const code = dialect === "line" ? "contract_missing" : "contract_placeholder";
    const signed = { dialect, nonce: "n7", schema: Review, signature: "BLUE_OTTER" };
    expect(readContract({ ...signed, text: template(dialect, Review, true) })).toMatchObject({ ok: false, code });
    const text = template(dialect);
    expect(readContract({ dialect, nonce: "n7", schema: Review, text })).toMatchObject({ ok: false, code });
  });

  it("ends where a schema contains itself, and joins the alternatives of a union", () => {
    expect(template("json", Tree)).toContain('"<…>"');
    const union = z.discriminatedUnion("status", [
      z.object({ status: z.literal("ok"), files: z.array(z.string()) }),
      z.object({ status: z.literal("failed"), reason: z.string() }),
    ]);
    expect(template("markdown", union)).toContain("- Status: ok | failed\n");
    expect(template("markdown", union)).toContain("- Reason: <text; leave out if there is none>");
  });

  it("has no fields to show for a schema without fields", () => {
    expect(template("status", z.array(z.string()))).toContain("```yaml\nnonce: n7\n```");
    expect(template("json", z.string())).toContain('"contract": "<text>"');
  });
});
