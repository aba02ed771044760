import { describe, expect, it } from "vitest";
import { createReportContract } from "./acting/report.ts";
import { Audit, CodeVerdict, Discovery, Executability, Findings, Mirages } from "./contracts.ts";
import { createProposal, createReply } from "./planning/plan.fixture.ts";
import { Plan } from "./planning/plan.ts";

const scope = { scope_in: ["src"], scope_out: ["docs"] };
/** A valid answer of every agent. */
const REPLIES = {
  Planner: { schema: Plan, reply: createProposal() },
  CodeMapper: { schema: Discovery, reply: createReply("CodeMapper", { status: "COMPLETE" }) },
  Researcher: { schema: Findings, reply: createReply("Researcher", { status: "COMPLETE", ...scope }) },
  PlanAuditor: { schema: Audit, reply: createReply("PlanAuditor", { status: "APPROVED" }) },
  AssumptionVerifier: { schema: Mirages, reply: createReply("AssumptionVerifier", { status: "COMPLETE" }) },
  ExecutabilityVerifier: { schema: Executability, reply: createReply("ExecutabilityVerifier", { status: "PASS" }) },
  CoreImplementer: {
    schema: createReportContract("CoreImplementer"),
    reply: createReply("CoreImplementer", { status: "COMPLETE" }),
  },
  CodeReviewer: { schema: CodeVerdict, reply: createReply("CodeReviewer", { status: "APPROVED" }) },
};

describe.each(Object.entries(REPLIES))("a reply of %s", (agent, { schema, reply }) => {
  const wrong = (more: object): string[] =>
    schema.safeParse({ ...reply, ...more }).error?.issues.map((issue) => issue.path.join(".")) ?? [];

  it("[P-57] is valid with the fields of every reply", () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ agent: `${agent}-subagent` })).toEqual([]);
  });

  it("[P-57] names its own agent only", () => {
    expect(wrong({ agent: undefined })).toEqual(["agent"]);
    expect(wrong({ agent: "Somebody" })).toEqual(["agent"]);
  });

  it("[P-57] has a confidence from 0 to 1 and declares whether it abstains", () => {
    expect(wrong({ confidence: undefined })).toEqual(["confidence"]);
    expect(wrong({ confidence: 1.1 })).toEqual(["confidence"]);
    expect(wrong({ abstain: undefined })).toEqual(["abstain"]);
    expect(wrong({ abstain: { reasons: [] } })).toEqual(["abstain.is_abstaining"]);
  });

  it("[P-57] has a status from its own list", () => {
    expect(wrong({ status: "FINE" })).toEqual(["status"]);
    expect(wrong({ status: undefined })).toEqual(["status"]);
  });
});

describe("a failure", () => {
  const fits = (schema: typeof Audit | typeof CodeVerdict, agent: string, more: object) =>
    schema.safeParse({ ...createReply(agent, { status: "APPROVED" }), ...more }).success;

  it("[P-57] names its class wherever its status requires it", () => {
    for (const status of ["NEEDS_REVISION", "REJECTED"]) {
      expect(fits(Audit, "PlanAuditor", { status })).toBe(false);
      expect(fits(Audit, "PlanAuditor", { status, failure_classification: "fixable" })).toBe(true);
    }
    expect(fits(CodeVerdict, "CodeReviewer", { status: "FAILED" })).toBe(false);
    const report = createReportContract("UIImplementer");
    const answer = { ...createReply("UIImplementer", { status: "COMPLETE" }), status: "NEEDS_INPUT" };
    expect(report.safeParse(answer).success).toBe(false);
    expect(report.safeParse({ ...answer, failure_classification: "escalate" }).success).toBe(true);
    expect(report.safeParse({ ...answer, failure_classification: "bad luck" }).success).toBe(false);
  });

  it("[P-57] of a read-only plan reviewer is never transient", () => {
    const status = "NEEDS_REVISION";
    expect(fits(Audit, "PlanAuditor", { status, failure_classification: "transient" })).toBe(false);
    const mirages = createReply("AssumptionVerifier", { status: "COMPLETE", failure_classification: "transient" });
    expect(Mirages.safeParse(mirages).success).toBe(false);
  });
});
