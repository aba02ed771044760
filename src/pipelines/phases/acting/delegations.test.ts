import { expect, test } from "vitest";
import { openEvents } from "../events.ts";
import { createPhase, createProposal } from "../planning/plan.fixture.ts";
import { Policy } from "../policy.ts";
import { planner } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";
import { type AgentName, buildDelegation, DELEGATIONS, delegate, isAgentName } from "./delegations.ts";

const context: PhasesContext = {
  trace: "2b1f3a1e-5f1c-4c8e-9d52-0a4b6c7d8e9f",
  policy: Policy.parse({}),
  task: "add-parts",
  request: "Greet people",
  form: {},
  iteration: { iteration_index: 2, max_iterations: 5 },
  events: openEvents(),
  documents: new Set(),
};
const brief = { scope: "src", context_references: ["plans/add-parts-plan.md"] };
const plan = { plan_path: "plans/add-parts-plan.md", plan_summary: "Adds parts.", plan: createProposal() };
const work = { task_id: "add-parts", phase_id: 1, task_definition: createPhase(1), safety: ["nothing destructive"] };
const FIELDS: Readonly<Record<AgentName, object>> = {
  CodeMapper: { scope_description: "where are parts?" },
  Researcher: { research_query: "how are parts made?" },
  Planner: { task_description: "Add parts", research_scope: { in: ["src"], out: ["docs"] } },
  PlanAuditor: { ...plan, task_id: "add-parts" },
  AssumptionVerifier: plan,
  ExecutabilityVerifier: plan,
  CoreImplementer: work,
  UIImplementer: work,
  PlatformEngineer: { ...work, environment: "development" },
  TechnicalWriter: { ...work, task_type: "documentation" },
  BrowserTester: work,
  CodeReviewer: { phase_id: 1, changed_files: ["src/a.ts"], review_scope: "phase" },
};
const problems = (agent: AgentName, more: object = {}) =>
  buildDelegation(context, agent, { ...brief, ...FIELDS[agent], ...more }).problems;

test.each(Object.keys(DELEGATIONS).filter(isAgentName))(
  "[P-56] a payload for %s is valid with its own fields only, and with none missing",
  (agent) => {
    expect(problems(agent)).toEqual([]);
    for (const name of Object.keys(FIELDS[agent])) {
      expect(problems(agent, { [name]: undefined })).toEqual([expect.stringContaining(`${agent}: ${name}`)]);
    }
    expect(problems(agent, { tools: "all" })).toEqual([expect.stringContaining("tools")]);
  },
);

test("[P-56] every payload names scope, expected output and references", () => {
  for (const agent of Object.keys(DELEGATIONS).filter(isAgentName)) {
    expect(problems(agent, { scope: "" })).toHaveLength(1);
    expect(problems(agent, { context_references: [] })).toHaveLength(1);
    expect(buildDelegation(context, agent, brief).payload["expected_output"]).toMatch(/\w+: /);
  }
});

test("[P-35] every payload contains the trace and the iteration", () => {
  for (const agent of Object.keys(DELEGATIONS).filter(isAgentName)) {
    expect(buildDelegation(context, agent, brief).payload).toMatchObject({
      trace_id: context.trace,
      iteration_index: 2,
      max_iterations: 5,
    });
  }
});

test("[P-35] a trace that is not a UUID v4 is refused", () => {
  const { problems: found } = buildDelegation({ ...context, trace: "run-7" }, "CodeMapper", {
    ...brief,
    ...FIELDS.CodeMapper,
  });
  expect(found).toEqual([expect.stringContaining("trace_id")]);
});

test("[P-56] an invalid payload is never sent", async () => {
  const sent: unknown[] = [];
  const attempt = async (_role: unknown, input: unknown) => {
    sent.push(input);
    return { ok: true, value: createProposal() } as never;
  };
  const answer = await delegate({ attempt }, context, { role: planner, brief: { ...brief, task_description: "Add" } });
  expect(answer).toMatchObject({ ok: false, failure: { code: "payload_invalid" } });
  expect(sent).toEqual([]);
  await delegate({ attempt }, context, { role: planner, brief: { ...brief, ...FIELDS.Planner } });
  expect(sent).toHaveLength(1);
});

test("[P-47] the planner gets no whole task before its scope is recorded", () => {
  expect(problems("Planner", { research_scope: undefined })).toEqual([
    "Planner: research_scope: must be recorded first",
  ]);
  expect(problems("Planner", { research_scope: { in: ["src"], out: [] } })).toHaveLength(1);
  expect(problems("Planner", { research_scope: undefined, failed_phase: createPhase(1) })).toEqual([]);
});

test("[P-18] the roster is closed: exactly twelve agents", () => {
  expect(Object.keys(DELEGATIONS)).toHaveLength(12);
  expect(isAgentName("ThirdPartyBot")).toBe(false);
  expect(isAgentName("toString")).toBe(false);
});
