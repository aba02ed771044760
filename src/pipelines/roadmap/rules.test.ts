import { describe, expect, it } from "vitest";
import { adrPathOf, type Contract, ImplementContract } from "./contracts.ts";
import {
  categoryOf,
  categoryOfFailure,
  firstLines,
  missing,
  needsResearch,
  reasonOfFailure,
  type Step,
} from "./rules.ts";

const good: Contract = { status: "success", evidence: [], learnings: [] };
const passes = (step: Step, contract: Partial<Contract> = {}, more: object = {}) =>
  missing({ step, contract: { ...good, ...contract }, ...more }) === undefined;

describe("pass conditions", () => {
  it("[R-18] Research and validation pass on success only", () => {
    for (const step of ["Research", "Architect (validation)"] as const) {
      expect(passes(step)).toBe(true);
      expect(passes(step, { status: "blocked" })).toBe(false);
    }
  });

  it("[R-18] a design passes when its ADR is there", () => {
    expect(passes("Architect (design)", {}, { adrExists: true })).toBe(true);
    expect(passes("Architect (design)", {}, { adrExists: false })).toBe(false);
  });

  it("[R-18] Implement passes with at least one file", () => {
    expect(passes("Implement", { files: [{ path: "a.ts", description: "" }] })).toBe(true);
    expect(passes("Implement", { files: [] })).toBe(false);
  });

  it("[R-18] Testing passes without failures", () => {
    expect(passes("Testing", { failures: [] })).toBe(true);
    expect(passes("Testing", { failures: ["one"] })).toBe(false);
  });

  it("[R-38] a red command overrules what Testing says, one that was red before does not", () => {
    const evidence = (before: boolean) => ({
      passed: false,
      regressions: [],
      checks: [{ name: "test", passed: false, exitCode: 1, before }],
    });
    expect(passes("Testing", {}, { evidence: evidence(true) })).toBe(false);
    expect(passes("Testing", {}, { evidence: evidence(false) })).toBe(true);
  });

  it("[R-18] Review passes with success and ship, not with one of them", () => {
    expect(passes("Review", { verdict: "ship" })).toBe(true);
    expect(passes("Review", { verdict: "minor_fixes" })).toBe(false);
    expect(passes("Review", { verdict: "ship", status: "blocked" })).toBe(false);
  });
});

describe("categories", () => {
  it("[R-34] follow from who blocks and how", () => {
    const of = (step: Step, contract: Partial<Contract>) => categoryOf({ step, contract: { ...good, ...contract } });
    expect(of("Testing", { status: "blocked" })).toBe("test_failure");
    expect(of("Review", { status: "blocked", verdict: "needs_work" })).toBe("review_verdict");
    expect(of("Review", { status: "blocked", verdict: "ship" })).toBe("agent_blocked");
    expect(of("Architect (validation)", { status: "blocked" })).toBe("drift_detected");
    expect(of("Implement", { status: "blocked" })).toBe("implementation_blocked");
    expect(of("Research", { status: "blocked" })).toBe("agent_blocked");
  });

  it("[R-15] a missing contract has its own category and words", () => {
    const failure = { code: "contract_missing", message: "The final message has no contract." };
    expect(categoryOfFailure(failure)).toBe("contract_missing");
    expect(reasonOfFailure(failure)).toBe("missing output contract");
  });
});

describe("research", () => {
  const none = { patterns: [], constraints: [], risks: [], fileLocations: [], openDecisions: [] };

  it("[R-37] runs on a medium item without planning research, never on a simple one", () => {
    expect(needsResearch({ complexity: "medium", planningResearch: null })).toBe(true);
    expect(needsResearch({ complexity: "medium", planningResearch: none })).toBe(true);
    expect(needsResearch({ complexity: "simple", planningResearch: null })).toBe(false);
  });

  it("[R-12] is skipped where planning has done it, except on complex items", () => {
    const planned = { ...none, patterns: ["p"] };
    expect(needsResearch({ complexity: "medium", planningResearch: planned })).toBe(false);
    expect(needsResearch({ complexity: "complex", planningResearch: planned })).toBe(true);
  });
});

describe("contracts", () => {
  it("reads files with their descriptions from lines", () => {
    const read = ImplementContract.parse({ status: "success", files: ["`src/a-b.ts` — greets", "src/c.ts"] });
    expect(read.files).toEqual([
      { path: "src/a-b.ts", description: "greets" },
      { path: "src/c.ts", description: "" },
    ]);
  });

  it("takes the ADR from its field or from the one path in the evidence", () => {
    expect(adrPathOf({ adr: "docs/adr/1.md", evidence: [] })).toBe("docs/adr/1.md");
    expect(adrPathOf({ evidence: ["see docs/adr/ADR-2.md."] })).toBe("docs/adr/ADR-2.md");
    expect(adrPathOf({ evidence: ["docs/adr/1.md and docs/adr/2.md"] })).toBeUndefined();
  });

  it("[R-33] cuts a failure to three lines", () => {
    expect(firstLines("a\nb\nc\nd")).toBe("a\nb\nc");
  });
});
