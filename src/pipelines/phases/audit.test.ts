import { describe, expect, it } from "vitest";
import type { Outcome } from "../../core/failure.ts";
import { abstained, bestOf, isClean, isRejected, PLAN_REVIEW, type Seen, stagnated } from "./audit.ts";
import { Audit, Executability, Mirages } from "./contracts.ts";

const ok = <T>(value: T): Outcome<T> => ({ ok: true, value });
const audit = (status: string, more: object = {}) => ok(Audit.parse({ status, score: 80, ...more }));
const mirages = (severity?: string) =>
  ok(Mirages.parse({ status: "COMPLETE", mirage_findings: severity ? [{ severity, claim: "there is an API" }] : [] }));
const executability = (status: string, more: object = {}) => ok(Executability.parse({ status, ...more }));
const seen = (more: Partial<Seen>): Seen => ({ iteration: 1, verified: [], ...more });
const passes = (more: Partial<Seen>) => PLAN_REVIEW.judge({ seen: seen(more) }).passed;
const decision = (score: number) => ({ id: "d", gate: "g", passed: false, blocked: false, findings: [], score });

describe("plan review", () => {
  it("[P-08] passes with an approving auditor, no blocking mirage and a PASS", () => {
    expect(
      passes({ audit: audit("APPROVED"), mirages: mirages("IMPORTANT"), executability: executability("PASS") }),
    ).toBe(true);
    expect(passes({ audit: audit("APPROVED"), executability: executability("WARN") })).toBe(false);
    expect(passes({ audit: audit("APPROVED"), executability: executability("FAIL") })).toBe(false);
  });

  it("[P-09] an objection or a blocking mirage sends the plan back with the findings of both", () => {
    const findings = [{ severity: "MAJOR", description: "no rollback" }];
    const about = seen({ audit: audit("NEEDS_REVISION", { findings }), mirages: mirages("BLOCKING") });
    expect(isClean(about)).toBe(false);
    expect(PLAN_REVIEW.judge({ seen: about }).findings?.map((each) => each.message)).toEqual([
      "no rollback",
      "there is an API",
    ]);
  });

  it("tells a rejection from an objection", () => {
    expect(isRejected(seen({ audit: audit("REJECTED") }))).toBe(true);
    expect(isRejected(seen({ audit: audit("NEEDS_REVISION") }))).toBe(false);
  });

  it("[P-11] [P-45] an abstention, or a reply below its floor, does not block and is named", () => {
    expect(passes({ audit: audit("ABSTAIN") })).toBe(true);
    expect(abstained(seen({ audit: audit("REJECTED", { confidence: 0.6 }), mirages: mirages() }))).toEqual([
      "PlanAuditor",
    ]);
  });

  it("an abstaining executability verifier is not a PASS", () => {
    expect(passes({ audit: audit("APPROVED"), executability: executability("ABSTAIN") })).toBe(false);
    expect(passes({ audit: audit("APPROVED"), executability: executability("PASS", { confidence: 0.5 }) })).toBe(false);
  });

  it("[P-15] what was verified before and no longer is blocks", () => {
    expect(passes({ audit: audit("APPROVED"), verified: ["tests named"] })).toBe(false);
    expect(passes({ audit: audit("APPROVED", { verified_items: ["tests named"] }), verified: ["tests named"] })).toBe(
      true,
    );
  });

  it("[P-12] stagnates at the third iteration with less than five points gained", () => {
    expect(stagnated([62, 64].map(decision))).toBeUndefined();
    expect(stagnated([62, 64, 65].map(decision))).toBeDefined();
    expect(stagnated([62, 64, 70].map(decision))).toBeUndefined();
  });

  it("[P-77] the best version has the highest score, the later one on a tie", () => {
    const versions = [80, 90, 90, 70].map((score, at) => ({ at, decision: decision(score) }));
    expect(bestOf(versions)?.at).toBe(2);
  });
});
