import { describe, expect, it } from "vitest";
import type { Contract } from "../contracts.ts";
import type { ItemStep } from "../item/route.ts";
import type { StepResult } from "../rules.ts";
import { type Category, createDecisionBlock, createFailureBlock, formatBlock, getBlockCategory } from "./block.ts";

const good: Contract = { status: "success", evidence: ["e"], learnings: [] };
const blocked: Partial<Contract> = { status: "blocked", blockedReason: "no key" };
const of = (step: ItemStep, contract: Partial<Contract>, more: Partial<StepResult> = {}): Category =>
  getBlockCategory({ step, contract: { ...good, ...contract }, ...more });

describe("categories", () => {
  it("[R-34] Testing with failures or blocked is test_failure", () => {
    expect(of("Testing", { failures: ["one"] })).toBe("test_failure");
    expect(of("Testing", blocked)).toBe("test_failure");
  });

  it("[R-34] a Review that does not ship is review_verdict, whatever its status", () => {
    for (const verdict of ["minor_fixes", "needs_work"] as const) {
      expect(of("Review", { verdict })).toBe("review_verdict");
      expect(of("Review", { verdict, ...blocked })).toBe("review_verdict");
    }
  });

  it("[R-34] a review that ships with a blocking finding is review_verdict", () => {
    expect(of("Review", { verdict: "ship", failures: ["🔴 a.ts:1 loses notes"] })).toBe("review_verdict");
  });

  it("[A-30] an Implement that changed nothing is implementation_blocked", () => {
    const work = { due: true, listed: [{ path: "a.ts", description: "" }], changed: [], outside: [] };
    expect(of("Implement", {}, { work })).toBe("implementation_blocked");
  });

  it("[A-25] a red command on the tree of a design is test_failure", () => {
    const check = { name: "lint", passed: false, exitCode: 1, snippet: "", outcome: "regression" as const };
    const evidence = { checks: [check], tamper: [] };
    expect(of("Architect (design)", { mode: "design" }, { evidence })).toBe("test_failure");
  });

  it("[R-34] a validation that is not aligned is drift_detected", () => {
    expect(of("Architect (validation)", { mode: "validation", ...blocked })).toBe("drift_detected");
  });

  it("[R-34] a blocked Implement is implementation_blocked", () => {
    expect(of("Implement", blocked)).toBe("implementation_blocked");
  });

  it("[R-34] a blocked Research, a blocked design, or a blocked Review that ships is agent_blocked", () => {
    expect(of("Research", blocked)).toBe("agent_blocked");
    expect(of("Architect (design)", { mode: "design", ...blocked })).toBe("agent_blocked");
    expect(of("Review", { verdict: "ship", ...blocked })).toBe("agent_blocked");
  });

  it("[R-34] a contract in the wrong mode is contract_invalid before anything else", () => {
    expect(of("Architect (validation)", { mode: "design", ...blocked })).toBe("contract_invalid");
  });

  it.each([
    ["contract_missing", "contract_missing"],
    ["contract_ambiguous", "contract_ambiguous"],
    ["contract_invalid", "contract_invalid"],
    ["contract_placeholder", "contract_invalid"],
    ["signature_missing", "signature_missing"],
    ["signature_mismatch", "signature_mismatch"],
    ["interrupted", "interrupted"],
    ["agent_crashed", "agent_blocked"],
  ])("[R-34] a dispatch that fails with %s is %s", (code, category) => {
    expect(createFailureBlock("Review", { class: "contract", code, message: "m" }).blockedCategory).toBe(category);
  });
});

describe("a block", () => {
  it("[R-15] without a contract has a fixed reason", () => {
    const block = createFailureBlock("Research", {
      class: "contract",
      code: "contract_missing",
      message: "none there",
    });
    expect(block.blockedReason).toBe("missing output contract");
  });

  it("[R-35] names one of five agents and gives its reason in one line", () => {
    const failure = { class: "contract", code: "contract_invalid", message: "two\nlines" } as const;
    const steps = [
      "Research",
      "Architect (design)",
      "Implement",
      "Architect (validation)",
      "Testing",
      "Review",
    ] as const;
    const blocks = steps.map((step) => createFailureBlock(step, failure));
    expect(blocks.map(({ blockedBy }) => blockedBy)).toEqual([
      "Research",
      "Architect",
      "Implement",
      "Architect",
      "Testing",
      "Review",
    ]);
    expect(blocks[0]?.blockedReason).toBe("two lines");
  });

  it("[R-36] carries failing tests, review findings and drift", () => {
    const none = { findings: [] };
    const tests = { ...good, failures: ["adds\n  expected 2\n  got 3\n  at line 9"] };
    expect(createDecisionBlock({ step: "Testing", contract: tests }, none).issues).toEqual([
      "adds\n  expected 2\n  got 3",
    ]);
    const review: Contract = { ...good, verdict: "needs_work", failures: ["🔴 a.ts:1"], evidence: ["lint is red"] };
    expect(createDecisionBlock({ step: "Review", contract: review }, none).issues).toEqual([
      "🔴 a.ts:1",
      "lint is red",
    ]);
    const drift: Contract = { ...good, mode: "validation", status: "blocked", evidence: ["a.ts skips the queue"] };
    const validation = { step: "Architect (validation)", contract: drift } as const;
    expect(createDecisionBlock(validation, none).issues).toEqual(["a.ts skips the queue"]);
  });

  it("[R-36] shows the informative part of a red command, not its stack trace", () => {
    const snippet =
      "ex.test.js:2:24)\n    at Test.run (node:x)\n  code: 'ERR_ASSERTION',\n  actual: -1,\n  expected: 3\n}";
    const checks = [{ name: "test", passed: false, exitCode: 1, snippet, outcome: "failed" } as const];
    const evidence = { checks, tamper: [] };
    const [told] = createDecisionBlock({ step: "Testing", contract: good, evidence }, { findings: [] }).issues;
    expect(told).toBe("test: code: 'ERR_ASSERTION',\n  actual: -1,\n  expected: 3");
  });

  it("[R-36] is reported with item, agent, category and reason", () => {
    const block = createFailureBlock("Testing", { class: "contract", code: "signature_missing", message: "none" });
    expect(formatBlock({ id: 7, title: "Store notes" }, block)).toBe(
      'item 7 "Store notes": Testing: signature_missing: none',
    );
  });
});
