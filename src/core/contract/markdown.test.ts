import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readContract } from "./read.ts";

const Testing = z.strictObject({
  status: z.enum(["success", "blocked"]),
  evidence: z.array(z.string()).min(1),
  failures: z.array(z.string()).default([]),
  learnings: z.array(z.string()).optional(),
  blockedReason: z.string().optional(),
});
const Design = z.strictObject({
  status: z.enum(["success", "blocked"]),
  mode: z.literal("design"),
  adrPath: z.string(),
  attempts: z.number().optional(),
  reviewed: z.boolean().optional(),
  scope: z.union([z.string(), z.array(z.string())]).optional(),
  extra: z.unknown().optional(),
});

const section = (...lines: string[]) => ["### Orchestrator Contract", "", "- Nonce: n7", ...lines].join("\n");
const read = (text: string, schema: z.ZodType = Testing, signature?: string) =>
  readContract({ dialect: "markdown", text, nonce: "n7", schema, ...(signature === undefined ? {} : { signature }) });
const good = ["- Status: success", "- Evidence:", "  - ran 12 tests"];

describe("the markdown dialect", () => {
  it("[R-31] reads fields by their title words, lists from nested bullets", () => {
    const text = section("- Status: blocked", "- Evidence:", "  - a.ts", "  - b.ts", "- Blocked reason: no runner");
    expect(read(`Some prose.\n\n${text}`)).toEqual({
      ok: true,
      value: { status: "blocked", evidence: ["a.ts", "b.ts"], failures: [], blockedReason: "no runner" },
    });
  });

  it("[R-31] accepts backticks around an enum value and around the nonce", () => {
    const text = section(...good)
      .replace("success", "`success`")
      .replace("n7", "`n7`");
    expect(read(text)).toMatchObject({ ok: true, value: { status: "success" } });
  });

  it("[R-31] accepts backticks around an enum value that stands in quotes", () => {
    expect(read(section('- Status: "`success`"', "- Evidence: ran"))).toMatchObject({ value: { status: "success" } });
  });

  it("[R-31] reads any Markdown bullet and names in bold", () => {
    const text = [
      "### Orchestrator Contract",
      "* **Nonce**: n7",
      "+ **Status:** success",
      "* **Evidence**:",
      "  * ran",
    ];
    const value = { status: "success", evidence: ["ran"], failures: [] };
    expect(read(text.join("\n"))).toEqual({ ok: true, value });
  });

  it.each([
    ["a heading of another level", (text: string) => text.replace("### ", "## ")],
    ["a heading of the first level with a colon", (text: string) => text.replace(/^.*$/m, "# Orchestrator contract:")],
    ["a heading in bold", (text: string) => text.replace(/^.*$/m, "**Orchestrator Contract**")],
    ["a heading in bold with its colon", (text: string) => text.replace(/^.*$/m, "**Orchestrator Contract:**")],
    ["names in backticks", (text: string) => text.replace(/^- (\w+):/gm, "- `$1`:")],
    [
      "names in bold without bullets",
      (text: string) => text.replace(/^- (\w+):/gm, "**$1:**").replace(/^ {2}-/gm, "-"),
    ],
    ["no bullets at all", (text: string) => text.replace(/^- (\w+):/gm, "$1:").replace(/^ {2}-/gm, "-")],
    ["a capital", (text: string) => text.replace("success", "Success")],
    ["bold values", (text: string) => text.replace("success", "**success**").replace("n7", "**n7**")],
    ["a path in backticks", (text: string) => text.replace("src/a.ts", "`src/a.ts`")],
  ])("[R-31] %s cannot be misunderstood", (_what, change) => {
    const text = section("- Status: success", "- Evidence:", "  - src/a.ts", "  - ran 12 tests");
    expect(read(text)).toMatchObject({ ok: true });
    expect(change(text)).not.toBe(text);
    expect(read(`Done.\n\n${change(text)}\n\nBye.`)).toEqual(read(text));
  });

  it("[R-31] prose behind a section of bullets is no field, and a section that is only half of bullets is refused", () => {
    expect(read(`${section(...good)}\nStatus: that was all.`)).toEqual(read(section(...good)));
    const half = section(...good).replace("- Nonce", "Nonce");
    expect(read(half)).toMatchObject({ ok: false });
  });

  it("[R-31] names the field that is missing and the value outside the enum", () => {
    const reading = read(section("- Status: `fine`"));
    expect(reading).toMatchObject({
      ok: false,
      code: "contract_invalid",
      problems: [
        { field: "status", expected: "success | blocked", found: '"fine"' },
        { field: "evidence", expected: "array", found: "nothing" },
      ],
    });
  });

  it("[R-31] refuses a mode other than the dispatched one", () => {
    const text = section("- Status: success", "- Mode: validation", "- ADR path: docs/adr/1.md");
    expect(read(text, Design)).toMatchObject({
      code: "contract_invalid",
      problems: [{ field: "mode", expected: "design", found: '"validation"' }],
    });
  });

  it("reads numbers, booleans and JSON only where the schema has a place for them", () => {
    const text = section("- Status: success", "- Mode: design", "- Adr path: 12", "- Attempts: 3", "- Reviewed: true");
    const more = `${text}\n- Extra: {"a":[1]}\n- Scope: 7`;
    expect(read(more, Design)).toMatchObject({
      value: { adrPath: "12", attempts: 3, reviewed: true, extra: { a: [1] }, scope: "7" },
    });
    expect(read(`${text}\n- Scope:\n  - 1\n  - b`, Design)).toMatchObject({ value: { scope: ["1", "b"] } });
  });

  it.each([
    ["- Failures: none", []],
    ["- Failures: None.", []],
    ["- Failures: N/A", []],
    ["- Failures:", []],
    ["- Failures: []", []],
    ['- Failures: ["a", "b"]', ["a", "b"]],
    ["- Failures: one line", ["one line"]],
    ["- Failures: one line\n  goes on", ["one line\ngoes on"]],
    ["- Failures:\n  without bullet", ["without bullet"]],
    [
      "- Failures:\n  - first\n    second line\n    - third line\n  - other",
      ["first\nsecond line\n- third line", "other"],
    ],
  ])("reads the list %j", (line, failures) => {
    expect(read(section(...good, line))).toMatchObject({ ok: true, value: { failures } });
  });

  it("joins the indented lines of a text", () => {
    const text = section(...good, "- Blocked reason: first", "  second", "  - third");
    expect(read(text)).toMatchObject({ value: { blockedReason: "first\nsecond\n- third" } });
  });

  it("takes an empty text field as left out", () => {
    expect(read(section(...good, "- Blocked reason:"))).toEqual(read(section(...good)));
  });

  it("ignores what follows the section", () => {
    const after = "\n\nThat is all.\n\n- Status: blocked\n";
    expect(read(section(...good) + after)).toEqual(read(section(...good)));
    expect(read(`${section(...good)}\n## Notes\n- Status: blocked`)).toEqual(read(section(...good)));
  });

  it("reads a section that stands in a fence", () => {
    expect(read(`\`\`\`markdown\n${section(...good)}\n\`\`\`\n- Status: blocked`)).toEqual(read(section(...good)));
  });

  it("refuses a field twice, an unknown field, a line without a name and a reserved name", () => {
    const fields = (line: string) => {
      const reading = read(section(...good, line));
      return reading.ok ? [] : reading.problems.map((problem) => problem.field);
    };
    expect(fields("- status: success")).toEqual(["status"]);
    expect(fields("- Nonce: n7")).toEqual(["nonce"]);
    expect(fields("- Mood: sunny")).toEqual(["mood"]);
    expect(fields("- just a bullet")).toEqual(["justABullet"]);
    expect(fields("- : nameless")).toEqual(["contract"]);
    expect(fields("- constructor: x")).toEqual(["constructor"]);
  });

  it("[R-15] calls a reply without the section missing", () => {
    expect(read("- Nonce: n7\n- Status: success")).toMatchObject({ ok: false, code: "contract_missing" });
    expect(read(section(...good).replace(/^/gm, "> "))).toMatchObject({ ok: false, code: "contract_missing" });
  });
});

describe("signatures in the markdown dialect", () => {
  const signed = (line: string) => read(`${section(...good)}\n${line}`, Testing, "BLUE_OTTER");
  const code = (line: string) => {
    const reading = signed(line);
    return reading.ok ? "ok" : reading.code;
  };

  it("[R-16] accepts the exact form, with and without the bullet", () => {
    expect(code("- Agent Signature: BLUE_OTTER")).toBe("ok");
    expect(code("Agent Signature: BLUE_OTTER")).toBe("ok");
    expect(code("\nAgent Signature: BLUE_OTTER\n\nBye.")).toBe("ok");
  });

  it("[R-16] calls an absent or empty signature missing", () => {
    expect(code("")).toBe("signature_missing");
    expect(code("- Agent Signature:")).toBe("signature_missing");
    expect(code("Bye.\nAgent Signature: BLUE_OTTER")).toBe("signature_missing");
  });

  it.each([
    "- Agent Signature: `BLUE_OTTER`",
    "- Agent Signature: SILVER_KITE",
    "- Agent Signature: <VALUE>",
    "- Agent Signature: blue_otter",
    "- Agent Signature:BLUE_OTTER",
    "- Agent signature: BLUE_OTTER",
    "- Agent Signature:  BLUE_OTTER",
    "- **Agent Signature**: BLUE_OTTER",
    "- **Agent Signature:** BLUE_OTTER",
  ])("[R-16] never accepts %j", (line) => {
    expect(code(line)).toBe("signature_mismatch");
  });

  it.each(["SIGNED_VALUE", "<SIGNED_VALUE>", "<the word after SIGNED_VALUE above>"])(
    "[R-16] never accepts the form's own place %j: it is not signed yet, by nobody else either",
    (place) => {
      expect(code(`- Agent Signature: ${place}`)).toBe("contract_placeholder");
    },
  );

  it("[R-16] a line in backticks is no field at all", () => {
    expect(code("- `Agent Signature: BLUE_OTTER`")).toBe("contract_invalid");
  });

  it("[R-16] two signatures are a field twice", () => {
    expect(code("- Agent Signature: BLUE_OTTER\n- Agent Signature: BLUE_OTTER")).toBe("contract_invalid");
  });

  it("[R-17] a mismatch does not carry the expected value into its message", () => {
    const reading = signed("- Agent Signature: `BLUE_OTTER`");
    expect(reading).toMatchObject({ ok: false, code: "signature_mismatch" });
    expect(JSON.stringify(reading)).not.toContain("BLUE_OTTER");
  });

  it("[R-34] an invalid field is told before a wrong signature", () => {
    const text = `${section("- Status: fine", "- Evidence: x")}\n- Agent Signature: WRONG`;
    expect(read(text, Testing, "BLUE_OTTER")).toMatchObject({ code: "contract_invalid" });
  });

  it("an unsigned role may sign all the same", () => {
    expect(read(`${section(...good)}\n- Agent Signature: ANY`)).toMatchObject({ ok: true });
  });
});
