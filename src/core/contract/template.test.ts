import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DIALECTS } from "./dialect.ts";
import { readContract } from "./read.ts";
import { renderContractTemplate } from "./template.ts";

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
  score: z.number().min(0).max(1),
  clean: z.boolean(),
  reviewed: z.iso.date(),
  byFile: z.record(z.string(), z.number()),
  pair: z.tuple([z.string(), z.string()]),
  anything: z.unknown(),
  level: z.literal([1, 2]).optional(),
});
const template = (dialect: (typeof DIALECTS)[number], schema: z.ZodType = Review, signed = false) =>
  renderContractTemplate({ dialect, schema, nonce: "n7", signed });

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
        "  - <evidence>",
        "- Blocked reason: <optional: why nothing can go on>",
        "- Score: <number from 0 to 1>",
        "- Clean: <true|false>",
        "- Anything: <anything>",
        "- Level: <optional: 1|2>",
      ]),
    );
  });

  it("describes numbers and booleans, and marks optional fields, in YAML", () => {
    const Report = z.strictObject({
      status: z.enum(["DONE", "ERROR"]),
      summary: z.string().describe("one sentence"),
      report: z.string().describe("what you saw, in paragraphs"),
      log: z.string().meta({ paragraphs: true }),
      confidence: z.number().min(0).max(1).describe("how sure you are"),
      tries: z.number().int().min(1).optional(),
      clean: z.boolean(),
      files: z.array(z.string()).describe("each file that you changed"),
      needed: z.array(z.string()).min(1),
      handoff: z.strictObject({ to: z.string(), why: z.string().optional() }).optional().describe("who goes on"),
      findings: z.array(z.strictObject({ id: z.string(), severity: z.enum(["major", "minor"]).optional() })),
    });
    const form = template("completion", Report);
    expect(form.slice(form.indexOf("completion:"), form.lastIndexOf("\n```")).split("\n")).toEqual([
      "completion:",
      "  nonce: n7",
      "  status: DONE | ERROR",
      '  summary: "<one sentence>"',
      "  report: |",
      "    <what you saw, in paragraphs>",
      "  log: |",
      "    <log>",
      "  confidence: <number from 0 to 1> # how sure you are",
      "  tries: <whole number, at least 1> # optional",
      "  clean: <true|false>",
      "  files:",
      '    - "<each file that you changed>"',
      "  needed:",
      '    - "<needed>"',
      "  handoff: # optional; who goes on",
      '    to: "<to>"',
      '    why: "<why>" # optional',
      "  findings:",
      '    - id: "<id>"',
      "      severity: major | minor # optional",
    ]);
  });

  it("describes a field in JSON in a comment, and never quotes numbers and booleans", () => {
    const More = Review.extend({
      findings: z
        .array(z.strictObject({ line: z.int().min(1).optional(), sure: z.boolean().nullable() }))
        .describe("what is wrong"),
      phases: z.array(z.int()),
    });
    const form = template("json", More);
    const lines = [
      '"score": <number from 0 to 1>,',
      '"clean": <true|false>,',
      '"evidence": ["<evidence>"],',
      '"blockedReason": "<why nothing can go on>", // optional',
      '"level": <1|2>, // optional',
      '"findings": [{ // what is wrong',
      '"line": <whole number, at least 1>, // optional',
      '"sure": <true|false|null>',
      "}],",
      '"phases": [<whole number>]',
    ];
    const shown = form.split("\n").map((line) => line.trim());
    expect(shown).toEqual(expect.arrayContaining(lines));
  });

  it.each(["markdown", "json", "completion"] as const)("says what each word to choose from is for: %s", (dialect) => {
    const Chosen = z.object({
      verdict: z.enum(["ship", "hold"]).describe("ship only what you would sign"),
      sure: z.boolean().describe("whether you saw it run"),
    });
    const form = template(dialect, Chosen);
    expect(form).toContain("ship | hold");
    expect(form).toContain("ship only what you would sign");
    expect(form).toContain("whether you saw it run");
  });

  it.each(DIALECTS)("asks once, and never demands what it lets be left out: %s", (dialect) => {
    const form = template(dialect);
    expect(form.match(/final message/g)).toHaveLength(1);
    expect(form).not.toMatch(/exactly|leave out/);
  });

  const Kinds = z.strictObject({
    score: z.number().min(0).max(1),
    clean: z.boolean().describe('whether "all" is done'),
    word: z.enum(["yes", "no"]),
    fixed: z.literal("design"),
    note: z.string().optional(),
  });
  const PLACES = { "<number from 0 to 1>": "0.7", "<true|false>": "false", "yes | no": "no", "<note>": "seen" };
  const filled = (dialect: (typeof DIALECTS)[number], but = "") =>
    Object.entries(PLACES).reduce(
      (text, [place, value]) => (place === but ? text : text.replace(place, value)),
      template(dialect, Kinds),
    );
  const FORMS = ["markdown", "json", "completion", "status"] as const;

  it.each(FORMS)("filled in place by place it is read, be its comments still there: %s", (dialect) => {
    const text = filled(dialect).replace("<optional: note>", "seen");
    expect(readContract({ dialect, nonce: "n7", schema: Kinds, text })).toEqual({
      ok: true,
      value: { score: 0.7, clean: false, word: "no", fixed: "design", note: "seen" },
    });
  });

  it.each(FORMS.flatMap((dialect) => Object.keys(PLACES).map((place) => [dialect, place] as const)))(
    "[A-11] in %s a place that was left as it stood is named: %s",
    (dialect, place) => {
      const reading = readContract({ dialect, nonce: "n7", schema: Kinds, text: filled(dialect, place) });
      const shown = dialect === "markdown" && place === "<note>" ? "<optional: note>" : place;
      expect(reading).toMatchObject({ ok: false });
      expect(reading.ok ? "" : reading.message).toContain(`found the form's own "${shown}"`);
    },
  );

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
    expect(template("markdown", union)).toContain("- Reason: <only with status: failed: reason>");
    expect(template("status", union)).toContain("files: # only with status: ok");
  });

  it("shows no fields for a schema without fields", () => {
    expect(template("status", z.array(z.string()))).toContain("```yaml\nnonce: n7\n```");
    expect(template("json", z.string())).toContain('"contract": "<text>"');
  });
});

it("shows the named fields, and none for free keys beside them", () => {
  const Loose = z.object({
    mandates: z.array(z.looseObject({ text: z.string() })),
    byFile: z.record(z.string(), z.number()),
  });
  const form = renderContractTemplate({ dialect: "status", schema: Loose, nonce: "n0nce", signed: false });
  expect(form).toContain("mandates");
  expect(form.match(/<name>/g)).toHaveLength(1);
});
