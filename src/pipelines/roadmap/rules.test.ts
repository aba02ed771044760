import { describe, expect, it } from "vitest";
import type { Check } from "../../core/authoring/verbs.ts";
import type { Contract } from "./contracts.ts";
import type { ItemStep } from "./item/route.ts";
import { findBlockReason, LISTED, PASS, type StepResult, VERIFIED } from "./rules.ts";

const good: Contract = { status: "success", evidence: ["e"], learnings: [] };
const blocked: Partial<Contract> = { status: "blocked", blockedReason: "no\nkey" };
const passes = (step: ItemStep, contract: Partial<Contract> = {}, more: Partial<StepResult> = {}) =>
  PASS.judge({ tree: "t", returned: { step, contract: { ...good, ...contract }, ...more } }).passed;
const reason = (step: ItemStep, contract: Partial<Contract>) =>
  findBlockReason({ step, contract: { ...good, ...contract } });

describe("pass conditions", () => {
  it("[R-18] Research passes on success only", () => {
    expect(passes("Research")).toBe(true);
    expect(passes("Research", blocked)).toBe(false);
  });

  it("[R-18] a design passes with success and an ADR that exists", () => {
    expect(passes("Architect (design)", { mode: "design" }, { adrExists: true })).toBe(true);
    expect(passes("Architect (design)", { mode: "design" }, { adrExists: false })).toBe(false);
    expect(passes("Architect (design)", { mode: "design", ...blocked }, { adrExists: true })).toBe(false);
  });

  it("[R-18] a validation passes on success only", () => {
    expect(passes("Architect (validation)", { mode: "validation" })).toBe(true);
    expect(passes("Architect (validation)", { mode: "validation", ...blocked })).toBe(false);
  });

  it("[R-18] Implement passes with success and at least one file", () => {
    const files = [{ path: "a.ts", description: "" }];
    expect(passes("Implement", { files })).toBe(true);
    expect(passes("Implement", { files: [] })).toBe(false);
    expect(passes("Implement", { files, ...blocked })).toBe(false);
  });

  it("[R-18] Testing passes with success and without failures", () => {
    expect(passes("Testing", { failures: [] })).toBe(true);
    expect(passes("Testing", { failures: ["one"] })).toBe(false);
    expect(passes("Testing", { failures: [], ...blocked })).toBe(false);
  });

  it("[R-18] Review passes only with both success and ship", () => {
    expect(passes("Review", { verdict: "ship" })).toBe(true);
    expect(passes("Review", { verdict: "minor_fixes" })).toBe(false);
    expect(passes("Review", { verdict: "needs_work" })).toBe(false);
    expect(passes("Review", { verdict: "ship", ...blocked })).toBe(false);
  });

  it("[R-18] a review that ships with a blocking finding has not approved", () => {
    for (const worst of ["🔴 src/a.ts:3 loses the last note", "**Critical**: loses notes", "[blocker] — no tests"]) {
      expect(passes("Review", { verdict: "ship", failures: ["🔵 a name", worst] })).toBe(false);
    }
    for (const fine of ["🔵 a name", "🟡 a longer line", "🔴 none", "Critical: none.", "critical path is covered"]) {
      expect(passes("Review", { verdict: "ship", failures: [fine] })).toBe(true);
    }
  });

  it("[A-30] work that changed nothing does not pass, whatever it lists", () => {
    const files = [{ path: "a.ts", description: "" }];
    const work = { due: true, listed: files, changed: [], outside: ["roadmap.json"] };
    expect(passes("Implement", { files }, { work })).toBe(false);
    expect(passes("Implement", { files }, { work: { ...work, changed: ["a.ts"] } })).toBe(true);
    expect(passes("Testing", {}, { work: { ...work, due: false } })).toBe(true);
    const design = { adrExists: true, work };
    expect(passes("Architect (design)", { mode: "design" }, design)).toBe(false);
  });

  it("[A-30] work of an earlier run counts: complete work needs no list, reverted work does not count", () => {
    const work = { due: true, listed: [], changed: [], outside: [], already: ["a.ts"], whole: ["a.ts"] };
    expect(passes("Implement", { files: [] }, { work })).toBe(true);
    expect(passes("Implement", {}, { work })).toBe(true);
    const undone = { ...work, changed: ["a.ts"], whole: [] };
    expect(passes("Implement", { files: [{ path: "a.ts", description: "" }] }, { work: undone })).toBe(false);
    const { whole: _none, ...first } = work;
    expect(passes("Implement", { files: [] }, { work: { ...first, already: [], changed: ["a.ts"] } })).toBe(false);
  });

  it("[R-31] an answer in the other mode does not pass, and the field is named", () => {
    expect(reason("Architect (design)", { mode: "validation" })).toBe("Mode: expected design, found validation");
    expect(reason("Architect (validation)", { mode: "design" })).toBe("Mode: expected validation, found design");
  });

  it("[R-35] the reason is one line", () => {
    expect(reason("Research", blocked)).toBe("no key");
    expect(reason("Testing", { failures: ["a", "b"] })).toBe("2 failing tests");
    expect(reason("Review", { verdict: "needs_work", ...blocked })).toBe("verdict needs_work: no key");
  });
});

describe("the engine's own checks", () => {
  const check = (name: string, outcome: Check["outcome"]): Check => ({
    name,
    passed: outcome === "passed",
    exitCode: outcome === "passed" ? 0 : 1,
    snippet: "",
    outcome,
  });
  const verified = (...checks: Check[]) =>
    VERIFIED.judge({ tree: "t", returned: { step: "Testing", contract: good, evidence: { checks, tamper: [] } } });

  it("[R-38] a red command does not pass whatever Testing reports, nor does one that could not run", () => {
    expect(verified(check("test", "passed"))).toEqual({ passed: true });
    for (const outcome of ["regression", "failed", "not-run"] as const) {
      expect(verified(check("build", "passed"), check("test", outcome)).passed).toBe(false);
    }
  });

  it("[A-23] a check that was equally red before does not count against the item", () => {
    expect(verified(check("build", "passed"), check("test", "red-before")).passed).toBe(true);
  });

  it("[R-38] a flaky command is neither green nor red", () => {
    expect(verified(check("test", "flaky")).passed).toBe(true);
  });

  it("[A-20] a check that could not run is not called red", () => {
    const { findings } = verified(check("build", "failed"), check("test", "not-run"));
    expect(findings?.map(({ message }) => message.split("\n")[0])).toEqual([
      "red: build; could not be run: test",
      "build failed",
      "test could not be run",
    ]);
  });

  it("[A-16] weakened tests do not pass unless a person accepted them; a red command never does", () => {
    const tamper = [{ severity: "major" as const, message: "a.test.ts: 2 tests fewer", by: "tamper" }];
    const judged = (accepted: boolean, ...checks: Check[]) =>
      VERIFIED.judge({
        tree: "t",
        returned: { step: "Testing", contract: good, evidence: { checks, tamper }, accepted },
      });
    expect(judged(false, check("tamper", "failed"))).toMatchObject({
      passed: false,
      findings: [{ message: "red: tamper" }, ...tamper],
    });
    expect(judged(true, check("tamper", "failed")).passed).toBe(true);
    expect(judged(true, check("tamper", "failed"), check("test", "failed")).passed).toBe(false);
  });

  it("[R-39] listed but unchanged, changed but unlisted, and discarded files are one finding each", () => {
    const listed = [
      { path: "a.ts", description: "" },
      { path: "b.ts", description: "" },
    ];
    const work = { due: true, listed, changed: ["a.ts", "c.ts"], outside: ["roadmap.json"] };
    const { passed, findings } = LISTED.judge({ tree: "t", returned: { step: "Implement", contract: good, work } });
    expect(passed).toBe(true);
    expect(findings?.map(({ message }) => message)).toEqual([
      "Implement lists a file that it did not change: b.ts",
      "Implement changed a file that it does not list: c.ts",
      "Implement changed a file that it may not change; the change was discarded: roadmap.json",
    ]);
  });
});
