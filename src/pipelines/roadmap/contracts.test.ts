import { describe, expect, it } from "vitest";
import { readContract } from "../../core/contract/read.ts";
import { renderContractTemplate } from "../../core/contract/template.ts";
import { ImplementContract } from "./contracts.ts";
import { getAdrPath } from "./item/adr.ts";
import { architect, implement, research, review, testing } from "./roles.ts";

const NONCE = "n0";
function read(role: { contract: typeof research.contract } | typeof review, ...fields: string[]) {
  const text = ["### Orchestrator Contract", "", `- Nonce: ${NONCE}`, ...fields.map((field) => `- ${field}`)].join(
    "\n",
  );
  return readContract({ dialect: "markdown", nonce: NONCE, schema: role.contract, text });
}
const describeReading = (...args: Parameters<typeof read>) => {
  const reading = read(...args);
  return reading.ok ? "accepted" : `${reading.code}: ${reading.message}`;
};
const GOOD = ["Status: success", "Evidence: seen"];

describe("fields", () => {
  it.each([
    ["status", research, ["Evidence: seen"], "status should be success | blocked, found nothing"],
    ["status", research, ["Status: fine", "Evidence: seen"], 'status should be success | blocked, found "fine"'],
    ["evidence", research, ["Status: success"], "evidence should be array, found nothing"],
    ["mode", architect, GOOD, "mode should be design | validation, found nothing"],
    ["mode", architect, [...GOOD, "Mode: review"], 'mode should be design | validation, found "review"'],
    ["files", implement, GOOD, "files should be every file with one line about it, found nothing"],
    ["verdict", review, GOOD, "verdict should be ship | minor_fixes | needs_work, found nothing"],
    ["verdict", review, [...GOOD, "Verdict: ok"], 'verdict should be ship | minor_fixes | needs_work, found "ok"'],
  ])("[R-31] a missing or unknown %s is contract_invalid and named", (_field, role, fields, told) => {
    expect(describeReading(role as typeof review, ...fields)).toBe(
      `contract_invalid: The contract does not match its schema: ${told}.`,
    );
  });

  it.each([research, architect, implement, testing, review])(
    "[R-31] $name that is blocked without a Blocked reason is accepted with everything it found",
    (role) => {
      const fields = ["Status: blocked", "Evidence: seen", "Mode: design", "Verdict: needs_work"];
      expect(read(role as typeof review, ...fields).ok).toBe(true);
      expect(read(role as typeof review, ...fields, "Blocked reason: no key").ok).toBe(true);
    },
  );

  it("[R-31] accepts backticks around an enum value", () => {
    const reading = read(review, "Status: `success`", "Verdict: `ship`", "Evidence: seen");
    expect(reading).toMatchObject({ ok: true, value: { status: "success", verdict: "ship" } });
  });

  it('[R-31] learnings and failures may be omitted or "none"', () => {
    const expected = { ok: true, value: { learnings: [], failures: [] } };
    expect(read(review, ...GOOD, "Verdict: ship")).toMatchObject(expected);
    expect(read(review, ...GOOD, "Verdict: ship", "Failures: None.", "Learnings:\n  - n/a")).toMatchObject(expected);
  });

  it.each([research, architect, implement, testing, review])(
    "every field of $name's form has a description",
    (role) => {
      const form = renderContractTemplate({ dialect: "markdown", schema: role.contract, nonce: NONCE, signed: false });
      expect(form).toContain("only with status: blocked: the main reason, in one line");
      expect(form).toContain("what later items should know");
    },
  );

  it("[R-26] Implement gets the template with Status, Files, Evidence, Learnings and Blocked reason, in this order", () => {
    const form = renderContractTemplate({
      dialect: "markdown",
      schema: implement.contract,
      nonce: NONCE,
      signed: false,
    });
    expect(form).toContain("### Orchestrator Contract");
    const fields = [...(form.split("```")[1] ?? "").matchAll(/^- ([A-Z][a-z ]+):/gm)].map((match) => match[1]);
    expect(fields).toEqual(["Nonce", "Status", "Files", "Evidence", "Learnings", "Blocked reason"]);
  });
});

describe("files", () => {
  it("are parsed with their descriptions in every notation", () => {
    const files = ["`src/a-b.ts` — greets", "src/c.ts", "./src/d.ts: adds", "src/e.ts (new)", "src/f g.ts - spaced"];
    expect(ImplementContract.parse({ status: "success", evidence: ["e"], files }).files).toEqual([
      { path: "src/a-b.ts", description: "greets" },
      { path: "src/c.ts", description: "" },
      { path: "src/d.ts", description: "adds" },
      { path: "src/e.ts", description: "(new)" },
      { path: "src/f g.ts", description: "spaced" },
    ]);
  });
});

describe("the ADR", () => {
  it("is named by its field or by the only path in the evidence", () => {
    expect(getAdrPath({ adr: "`docs/adr/1.md`", evidence: [] })).toBe("docs/adr/1.md");
    expect(getAdrPath({ evidence: ["see docs/adr/ADR-2.md.", "docs/adr/ADR-2.md again"] })).toBe("docs/adr/ADR-2.md");
    expect(getAdrPath({ evidence: ["docs/adr/1.md and docs/adr/2.md"] })).toBeUndefined();
  });
});
