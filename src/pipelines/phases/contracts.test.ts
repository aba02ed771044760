import { describe, expect, it } from "vitest";
import { executionReport } from "./acting/report.ts";
import { Audit, Discovery, Executability, Findings, Mirages, Verdict } from "./contracts.ts";
import { planned, said } from "./planning/plan.fixture.ts";
import { Plan } from "./planning/plan.ts";

const scope = { scope_in: ["src"], scope_out: ["docs"] };
/** Every agent with an answer that fits. */
const REPLIES = {
  Planner: { schema: Plan, reply: planned() },
  CodeMapper: { schema: Discovery, reply: said("CodeMapper", { status: "COMPLETE" }) },
  Researcher: { schema: Findings, reply: said("Researcher", { status: "COMPLETE", ...scope }) },
  PlanAuditor: { schema: Audit, reply: said("PlanAuditor", { status: "APPROVED" }) },
  AssumptionVerifier: { schema: Mirages, reply: said("AssumptionVerifier", { status: "COMPLETE" }) },
  ExecutabilityVerifier: { schema: Executability, reply: said("ExecutabilityVerifier", { status: "PASS" }) },
  CoreImplementer: {
    schema: executionReport("CoreImplementer"),
    reply: said("CoreImplementer", { status: "COMPLETE" }),
  },
  CodeReviewer: { schema: Verdict, reply: said("CodeReviewer", { status: "APPROVED" }) },
};

describe.each(Object.entries(REPLIES))("a reply of %s", (agent, { schema, reply }) => {
  const wrong = (more: object): string[] =>
    schema.safeParse({ ...reply, ...more }).error?.issues.map((issue) => issue.path.join(".")) ?? [];

  it("[P-57] fits with everything that every reply needs", () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ agent: `${agent}-subagent` })).toEqual([]);
  });

  it("[P-57] names its agent, and no other", () => {
    expect(wrong({ agent: undefined })).toEqual(["agent"]);
    expect(wrong({ agent: "Somebody" })).toEqual(["agent"]);
  });

  it("[P-57] has a confidence from 0 to 1, and says whether it abstains", () => {
    expect(wrong({ confidence: undefined })).toEqual(["confidence"]);
    expect(wrong({ confidence: 1.1 })).toEqual(["confidence"]);
    expect(wrong({ abstain: undefined })).toEqual(["abstain"]);
    expect(wrong({ abstain: { reasons: [] } })).toEqual(["abstain.is_abstaining"]);
  });

  it("[P-57] has a status of its own list", () => {
    expect(wrong({ status: "FINE" })).toEqual(["status"]);
    expect(wrong({ status: undefined })).toEqual(["status"]);
  });
});

describe("a failure", () => {
  const fits = (schema: typeof Audit | typeof Verdict, agent: string, more: object) =>
    schema.safeParse({ ...said(agent, { status: "APPROVED" }), ...more }).success;

  it("[P-57] says what kind it is wherever its status demands it", () => {
    for (const status of ["NEEDS_REVISION", "REJECTED"]) {
      expect(fits(Audit, "PlanAuditor", { status })).toBe(false);
      expect(fits(Audit, "PlanAuditor", { status, failure_classification: "fixable" })).toBe(true);
    }
    expect(fits(Verdict, "CodeReviewer", { status: "FAILED" })).toBe(false);
    const report = executionReport("UIImplementer");
    const answer = { ...said("UIImplementer", { status: "COMPLETE" }), status: "NEEDS_INPUT" };
    expect(report.safeParse(answer).success).toBe(false);
    expect(report.safeParse({ ...answer, failure_classification: "escalate" }).success).toBe(true);
    expect(report.safeParse({ ...answer, failure_classification: "bad luck" }).success).toBe(false);
  });

  it("[P-57] of who only reads a plan is never a passing one", () => {
    const status = "NEEDS_REVISION";
    expect(fits(Audit, "PlanAuditor", { status, failure_classification: "transient" })).toBe(false);
    const mirages = said("AssumptionVerifier", { status: "COMPLETE", failure_classification: "transient" });
    expect(Mirages.safeParse(mirages).success).toBe(false);
  });
});
