import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readContract } from "../../core/contract/read.ts";
import { type Shape, shapeOf } from "../../core/contract/shape.ts";
import { renderContractTemplate } from "../../core/contract/template.ts";
import { writeContract } from "../../core/contract/write.ts";
import type { Json } from "../../core/text/json.ts";
import { ledger } from "./index.ts";
import { designer, evaluator, implementer, knowledge, planner, researcher, reviewer, spec, verifier } from "./roles.ts";

const DIALECT = { dialect: "completion", nonce: "n0nce" } as const;

/** Parses an answer that went through the dialect, as an agent's answer does. */
function read(role: (typeof ledger.roles)[number], value: Json) {
  return readContract({ ...DIALECT, schema: role.contract, text: writeContract({ ...DIALECT, value }) });
}
const approve = { security: "approve", architecture: "approve", correctness: "approve" };

describe("parsing an answer", () => {
  it.each([researcher, spec, designer, implementer, verifier, knowledge, evaluator])(
    "may be next to nothing for the $name",
    (role) => {
      expect(read(role, { status: "DONE" })).toMatchObject({ ok: true, value: { status: "DONE" } });
      expect(read(role, { summary: "it is done" })).toMatchObject({ ok: true, value: { status: "DONE" } });
    },
  );

  it("keeps additional fields", () => {
    expect(read(designer, { data_model: { users: ["name"] } })).toMatchObject({
      value: { data_model: { users: ["name"] } },
    });
  });

  it("accepts a status in any spelling", () => {
    for (const said of ["done", "Done", "success"]) expect(read(spec, { status: said })).toMatchObject({ ok: true });
    expect(read(verifier, { status: "needs-revision" })).toMatchObject({ value: { status: "NEEDS_REVISION" } });
    expect(read(verifier, { status: "perhaps" })).toMatchObject({ ok: false, code: "contract_invalid" });
  });

  it.each([
    ["a mapping", { verdicts: approve }],
    ["flat fields", approve],
    ["a list", { verdicts: Object.entries(approve).map(([category, verdict]) => ({ category, verdict })) }],
    ["entries with reasons", { verdicts: { ...approve, security: { verdict: "Approved", reason: "fine" } } }],
    ["other spellings", { verdicts: { security: "APPROVE", architecture: "approved", correctness: "pass" } }],
  ])("accepts verdicts as %s", (_form, value) => {
    expect(read(reviewer, value)).toMatchObject({ ok: true, value: { verdicts: approve } });
  });

  it.each([
    ["missing", {}],
    ["incomplete", { verdicts: { security: "approve", architecture: "approve" } }],
    ["null", { verdicts: { ...approve, correctness: null } }],
    ["unknown", { verdicts: { ...approve, correctness: "maybe" } }],
    ["one for all", { verdict: "approve" }],
  ])("refuses verdicts that are %s", (_form, value) => {
    expect(read(reviewer, value)).toMatchObject({ ok: false, code: "contract_invalid" });
  });

  it("accepts findings as texts or objects, with severities in any wording", () => {
    const findings = ["a text", { severity: "HIGH", title: "a title" }, { severity: "odd", issue: "x", file: "a.ts" }];
    expect(read(reviewer, { ...approve, correctness: "needs_revision", findings })).toMatchObject({
      value: {
        findings: [
          { severity: "major", message: "a text" },
          { severity: "critical", message: "a title" },
          { severity: "major", message: "x", files: ["a.ts"] },
        ],
      },
    });
  });

  it.each([
    ["Critical", "security", false],
    ["Major", "security", false],
    ["Minor", "security", true],
    ["Critical", undefined, false],
    ["Major", undefined, true],
    ["Critical", "correctness", true],
  ])("[L-10] accepts a %s finding of category %s next to an approval of security: %s", (severity, category, ok) => {
    const verdicts = category === "correctness" ? { ...approve, correctness: "needs_revision" } : approve;
    const findings = [{ severity, message: "names are not escaped", ...(category && { category }) }];
    expect(read(reviewer, { verdicts, findings })).toMatchObject({ ok });
  });

  it("reads a verifier's own gate as its status, and no passed check as a finding", () => {
    const failed = { evidence_gate: { gate_status: "failed" }, findings: [{ check_name: "tests", passed: true }] };
    expect(read(verifier, failed)).toMatchObject({ value: { status: "NEEDS_REVISION", findings: [] } });
    expect(read(verifier, { gate_status: "passed" })).toMatchObject({ value: { status: "DONE" } });
  });

  it.each([
    ["files", { files: ["src/a.ts"] }],
    ["files_to_modify", { files_to_modify: [{ path: "./src/a.ts", risk: "🟢" }] }],
    ["relevant_context", { relevant_context: { files_to_modify: [{ path: "src/a.ts" }] } }],
  ])("accepts a task's files from %s", (_form, files) => {
    expect(read(planner, { tasks: [{ id: 1, ...files }] })).toMatchObject({
      value: { tasks: [{ id: "1", title: "1", files: ["src/a.ts"], size: "Standard", risk: "🟢", depends_on: [] }] },
    });
  });

  it("accepts common words for risk, size and dependencies", () => {
    const tasks = [
      { id: "task 1", files: ["a"], risk: "high", size: "large" },
      { id: "b", files: ["b"], risk: "Yellow", dependencies: ["task 1"] },
    ];
    expect(read(planner, { tasks })).toMatchObject({
      value: {
        tasks: [
          { id: "task-1", risk: "🔴", size: "Large" },
          { risk: "🟡", depends_on: ["task-1"] },
        ],
      },
    });
  });

  it.each([
    ["no tasks", []],
    ["a task without files", [{ id: "a" }]],
    ["a task without an id", [{ files: ["a"] }]],
    ["a path outside", [{ id: "a", files: ["../a"] }]],
    ["an absolute path", [{ id: "a", files: ["/etc/a"] }]],
    ["an unknown risk", [{ id: "a", files: ["a"], risk: "purple" }]],
  ])("refuses a plan with %s", (_form, tasks) => {
    expect(read(planner, { tasks })).toMatchObject({ ok: false, code: "contract_invalid" });
  });

  it("accepts a task named test", () => {
    const tasks = [{ id: "test", title: "test", files: ["test"], depends_on: [], checks: ["test"] }];
    expect(read(planner, { tasks })).toMatchObject({ ok: true });
  });

  it("accepts concerns as texts or objects", () => {
    expect(read(evaluator, { concerns: ["which people?", { severity: "BLOCKER", message: "no" }] })).toMatchObject({
      value: {
        concerns: [
          { severity: "major", text: "which people?" },
          { severity: "blocker", text: "no" },
        ],
      },
    });
  });
});

describe("[A-11] an answer without content", () => {
  it.each([
    [researcher, { findings: [{ id: "F-1", title: "TODO", detail: "TODO", evidence: ["TODO"] }] }],
    [spec, { summary: "todo" }],
    [designer, { architecture: "TBD" }],
    [implementer, { summary: "…" }],
    [planner, { summary: "<text>", tasks: [{ id: "a", files: ["a"] }] }],
    [evaluator, { concerns: [{ kind: "scope", severity: "minor", text: "placeholder" }] }],
  ] as const)("is refused from the $name", (role, value) => {
    expect(read(role, value as Json)).toMatchObject({ ok: false, code: "contract_placeholder" });
  });

  it.each(ledger.roles)("is the prompt's own example returned by the $name", (role) => {
    const template = renderContractTemplate({ ...DIALECT, schema: role.contract, signed: false });
    const read = readContract({ ...DIALECT, schema: role.contract, text: template });
    expect(read).toMatchObject({ ok: false, code: "contract_placeholder" });
  });
});

describe("a role's prompt", () => {
  it.each(ledger.roles)("of the $name has the sections input, process and evaluation", ({ prompt = "" }) => {
    for (const heading of ["Input", "Process", "Evaluation"]) {
      expect(prompt).toContain(`## ${heading}`);
    }
  });

  /** Terms of the ledger, for the rows that the engine writes. */
  const OF_THE_LEDGER = ["review_perspective", "round", "task_id", "tree"];

  it.each(ledger.roles)("of the $name explains each field of its input", ({ prompt = "", input }) => {
    const fields = Object.keys(
      z.toJSONSchema(input ?? z.never(), { io: "input", unrepresentable: "any" }).properties ?? {},
    );
    expect(fields.length).toBeGreaterThan(0);
    const told = fields.filter((name) => !OF_THE_LEDGER.includes(name) && !PLAIN.includes(name));
    expect(told.filter((name) => !new RegExp(`\`${name}[\`:]`).test(prompt))).toEqual([]);
  });

  /** Inputs whose name says what they contain. */
  const PLAIN = ["request", "spec", "design"];
});

describe("a form", () => {
  it.each(ledger.roles)("describes every field that the $name writes", ({ contract }) => {
    expect(listUndescribed(shapeOf(contract), "")).toEqual([]);
  });

  it("lists exactly the values that a role may use", () => {
    const form = (schema: z.ZodType): string => renderContractTemplate({ ...DIALECT, schema, signed: false });
    expect(form(researcher.contract)).toContain("DONE | ERROR");
    expect(form(verifier.contract)).toContain("DONE | NEEDS_REVISION | ERROR");
    expect(form(planner.contract)).toContain("Standard | Large");
  });
});

/** Lists fields without a description, except those that only contain other fields. */
function listUndescribed(shape: Shape, path: string): string[] {
  return [...shape.fields()].flatMap(([name, field]) => {
    const inner = field.shape.kinds.has("array") ? field.shape.items() : field.shape;
    const at = `${path}${name}`;
    if (inner.fields().size > 0) return listUndescribed(inner, `${at}.`);
    return (inner.description ?? field.shape.description) === undefined ? [at] : [];
  });
}
