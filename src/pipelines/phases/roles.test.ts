import { describe, expect, it } from "vitest";
import { renderContractTemplate } from "../../core/contract/template.ts";
import { EXPECTED_OUTPUTS } from "./acting/delegations.ts";
import { Proposal } from "./planning/plan.ts";
import {
  assumptionVerifier,
  codeMapper,
  codeReviewer,
  EXECUTORS,
  executabilityVerifier,
  findExecutor,
  planAuditor,
  planner,
  researcher,
} from "./roles.ts";

const OTHERS = [codeMapper, researcher, planner, planAuditor, assumptionVerifier, executabilityVerifier, codeReviewer];

type Contract = Parameters<typeof renderContractTemplate>[0]["schema"];
const form = (schema: Contract | undefined) =>
  schema ? renderContractTemplate({ dialect: "json", schema, nonce: "n", signed: false }) : "";
const renderForm = (name: string) => form(findExecutor(name)?.contract);

describe("the contract form of each role", () => {
  it.each([
    ["CoreImplementer", ["changes", "tests"], ["ui_changes", "docs_created", "docs_updated"]],
    ["UIImplementer", ["ui_changes", "tests"], ["docs_created", "docs_updated"]],
    ["TechnicalWriter", ["docs_created", "docs_updated"], ["ui_changes", "build", "lint", "tests"]],
    ["BrowserTester", ["changes"], ["ui_changes", "docs_created", "build", "lint"]],
  ])("%s gets only its own fields", (name, own, others) => {
    for (const field of own) expect(renderForm(name)).toContain(`"${field}"`);
    for (const field of others) expect(renderForm(name)).not.toContain(`"${field}"`);
  });

  it.each(Object.entries(EXPECTED_OUTPUTS))("%s is told to answer with fields of its form: %s", (name, expected) => {
    const role = [...EXECUTORS, ...OTHERS].find((each) => each.name === name);
    const [, fields = ""] = expected.split(": ");
    for (const field of fields.split(", ")) expect(form(role?.contract)).toContain(`"${field}"`);
  });

  it("every role that can fail is asked for the failure class by name and from its own list", () => {
    for (const role of [...EXECUTORS, codeReviewer]) {
      expect(form(role.contract)).toContain('"failure_classification": "transient | fixable');
      expect(role.prompt).toContain("failure_classification");
    }
    expect(form(planAuditor.contract)).toContain('"failure_classification": "fixable');
    expect(form(planAuditor.contract)).not.toContain("transient");
    expect(planAuditor.prompt).toContain("failure_classification");
    expect(form(planner.contract)).not.toContain("failure_classification");
  });

  it("a role is asked for its own name in one spelling, and for nothing that only the engine needs", () => {
    expect(renderForm("CoreImplementer")).toContain('"agent": "CoreImplementer"');
    for (const field of ["schema_version", "trace_id", "revision_of", "handoff", "iteration_budget"]) {
      expect(form(planner.contract)).not.toContain(field);
    }
  });

  it("[P-17] fields that the plan gate requires are never optional", () => {
    const required = (schema: object) => new Set((schema as { required?: string[] }).required);
    const json = JSON.parse(JSON.stringify(Proposal.toJSONSchema({ io: "input" })));
    expect([...required(json)]).toEqual(expect.arrayContaining(["phases", "risk_review", "design_decisions"]));
    const phase = required(json.properties.phases.items);
    expect([...phase]).toEqual(expect.arrayContaining(["executor_agent", "tests", "destructive", "files"]));
  });

  it("[P-42] the planner is told what small means, that a wave starts from one tree, and where documentation belongs", () => {
    expect(planner.prompt).toContain("at most 5 files, tests and documents included");
    expect(planner.prompt).toContain("All phases of a wave start from the same tree");
    expect(planner.prompt).toContain("Documents come in a later wave than the code they describe");
    expect(planner.prompt).toMatch(/If a small task is one phase, a document about its code\s+belongs to that phase/);
  });
});
