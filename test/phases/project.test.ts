import { describe, expect, test } from "vitest";
import { formatPlan, readPlan } from "../../src/pipelines/phases/artifacts.ts";
import { createPlan as readAs } from "../../src/pipelines/phases/planning/plan.fixture.ts";
import { Plan } from "../../src/pipelines/phases/planning/plan.ts";
import { toProjectPlan } from "../../src/pipelines/phases/planning/project-plan.ts";
import { Policy } from "../../src/pipelines/phases/policy.ts";
import {
  audits,
  createProposal,
  eventsOf,
  inputsOf,
  judged,
  PLAN,
  PLAN_FILE,
  phase,
  plans,
  play,
  says,
  turns,
} from "./paper.ts";

/** The event schema of a project with its own orchestrator. */
const EVENT_SCHEMA = JSON.stringify({
  properties: {
    event_type: {
      enum: ["PLAN_GATE", "PREFLECT_GATE", "PHASE_REVIEW_GATE", "HIGH_RISK_APPROVAL_GATE", "COMPLETION_GATE"],
    },
    workflow_state: { enum: ["PLANNING", "ACTING", "REVIEWING", "WAITING_APPROVAL", "COMPLETE"] },
  },
});
const TEMPLATE = `# Template

Copy this block.

---

## Entry

**Plan ID:** \`<plan file name>\`  
**Date:** \`<ISO date>\`  
**Complexity Tier:** \`TRIVIAL | SMALL\`  
**Total Phases:** \`<planned> / <completed>\`  

| Agent | Result | Notes |
| --- | --- | --- |
| PlanAuditor-subagent | APPROVED / REJECTED | Final score |
| CodeReviewer-subagent | APPROVED / FAILED | |

**Total review iterations:** \`<N>\` / \`<max>\`  
**Convergence:** \`Converged | Stagnation detected\`  
**Status:** \`SUCCESS | FAILED\`  
**CodeReviewer false positive rate:** \`<rejected> / <total>\`  
**Mood:** of the team

### Lessons Learned

1. \`<lesson 1>\`

---
<!-- Archive entries -->
`;

describe("a project with its own orchestrator", () => {
  test("[P-46] may have comments in its policy: keys that start with an underscore, and its schema's name", () => {
    const remarks = { _comment: "ours", $schema: "x", memory_hygiene: { _comment: "why", notes_md_max_lines: 9 } };
    expect(Policy.parse(remarks).memory_hygiene).toEqual({ notes_md_max_lines: 9, fact_similarity: 0.85 });
    expect(Policy.parse({ compaction: { max_consecutive_failures: 1, _comment: "one" } }).compaction).toEqual({
      max_consecutive_failures: 1,
    });
    expect(Policy.safeParse({ comment: "no remark" }).success).toBe(false);
  });

  test("[P-36] gets events in its own vocabulary only; without one the review of a plan has its own events", async () => {
    const parts = { PlanAuditor: turns(audits("NEEDS_REVISION"), audits("APPROVED")) };
    const theirs = await play({ base: { "schemas/orchestrator.gate-event.schema.json": EVENT_SCHEMA }, parts });
    const words = eventsOf(theirs).map(({ payload }) => [payload.event_type, payload.workflow_state]);
    expect(words.flat()).not.toContain("PLAN_REVIEW_GATE");
    expect(words.flat()).not.toContain("PLAN_REVIEW");
    expect(judged(theirs, "PLAN_REVIEW_GATE")).not.toEqual([]);
    const ours = eventsOf(await play()).map(({ payload }) => payload.event_type);
    expect(ours).toContain("PLAN_REVIEW_GATE");
    const broken = await play({ base: { "schemas/orchestrator.gate-event.schema.json": "{" } });
    expect(eventsOf(broken).map(({ payload }) => payload.event_type)).toEqual(ours);
  });

  test("[P-78] gets its outcome in its own format, and further fields of that format stay unchanged", async () => {
    const base = { "plans/templates/session-outcome-template.md": TEMPLATE, "plans/session-outcomes.md": "# Log\n" };
    const { files } = await play({ base });
    const text = files["plans/session-outcomes.md"] ?? "";
    expect(text.startsWith("# Log\n\n## Entry\n")).toBe(true);
    expect(text).toContain("**Plan ID:** plans/add-three-parts-plan.md  \n");
    expect(text).toContain("**Total Phases:** 3 / 3  \n");
    expect(text).toContain("| PlanAuditor-subagent | APPROVED | |\n");
    expect(text).toContain("**Convergence:** Converged  \n");
    expect(text).toContain("**Mood:** of the team\n");
    expect(text).toContain("### Lessons Learned\n\nNone.\n");
    expect(text).not.toContain("Copy this block");
    expect(text).not.toContain("Archive");
  });
});

describe("a plan in a project's own format", () => {
  const { design_decisions: _, ...bare } = createProposal({ phases: [phase(1, 1), phase(2, 2)] });
  const own = { schema_version: "1.2.0", ...bare, handoff: { target_agent: "Orchestrator", prompt: "go" } };

  test("[P-48] is accepted without design decisions, which its format cannot hold, and this is reported", async () => {
    const played = await play({ parts: { Planner: plans(own) } });
    expect(played.status).toBe("done");
    expect(judged(played, "PLAN_GATE")).toContainEqual(["P-48", true]);
    expect(JSON.stringify(played.records)).toContain("the plan states no design decisions");
  });

  test("[P-58] is written by the project's schema and read back whole", async () => {
    const question = { question: "Which?", options: ["a"], recommendation: "a", class: "user_preference", phase_id: 2 };
    const plan = readAs({
      phases: [
        phase(1, 1, { destructive: true, executor_agent: "CoreImplementer" }),
        phase(2, 2, { production: true }),
      ],
      open_questions: [question],
      announces: [{ was: "a", becomes: "b", tests: ["x"], criterion: "c" }],
    });
    const read = readPlan("plans/x.md", formatPlan(plan, { plan: true }));
    const executor_agent = "CoreImplementer-subagent";
    const phases = plan.phases.map((each) => {
      return { ...each, executor_agent, files: each.files.map((file) => ({ ...file, reason: `create ${file.path}` })) };
    });
    expect(read).toEqual({ plan: { ...plan, phases } });
    const { data } = toProjectPlan(Plan.parse({ ...plan, revision_of: "plans/old.md", complexity_tier: "LARGE" }));
    expect(data).toMatchObject({
      schema_version: "1.2.0",
      revision_mode: "new_artifact_supersession",
      revision_of: "plans/old.md",
      handoff: { target_agent: "Orchestrator" },
      diagrams: [{ type: "flowchart" }, { type: "sequenceDiagram" }],
    });
    for (const field of ["design_decisions", "announces"]) expect(data).not.toHaveProperty(field);
    expect(JSON.stringify(data)).not.toContain("destructive");
  });

  test("[P-68] is the plan's file if the project has such a schema", async () => {
    const { files } = await play({ base: { "schemas/planner.plan.schema.json": "{}" } });
    expect(files[PLAN_FILE]).toContain("revision_mode: initial_create");
    expect(files[PLAN_FILE]).toContain("```yaml signalbox\n");
    expect((await play()).files[PLAN_FILE]).not.toContain("revision_mode");
  });
});

test("[P-57] needs no abstention in a map of the project's own format, which may group its conventions", async () => {
  const reply = {
    schema_version: "1.0.0",
    agent: "CodeMapper-subagent",
    status: "COMPLETE",
    confidence: 0.9,
    files: [{ path: "src/a.ts", relevance: "it is the one" }],
    answer: "one folder",
    conventions: { naming: ["kebab-case"], test_patterns: ["beside the file"] },
    next_steps: [],
  };
  const played = await play({ parts: { CodeMapper: () => ({ contract: reply }), Planner: plans(PLAN) } });
  expect(inputsOf(played, "Planner")[0]).toMatchObject({
    research: { files: [{ path: "src/a.ts" }], conventions: ["kebab-case", "beside the file"] },
  });
});

test("a report without a summary states its failure by its open items", async () => {
  const failed = says("CoreImplementer", {
    status: "FAILED",
    failure_classification: "fixable",
    definition_of_done: { all_items_complete: false, unchecked_items: ["exported"] },
    next_steps: ["mend the import"],
  });
  const small = createProposal({ phases: [phase(1, 1)], complexity_tier: "TRIVIAL" });
  const played = await play({ parts: { Planner: plans(small), CoreImplementer: failed } });
  expect(inputsOf(played, "CoreImplementer")[1]).toMatchObject({ fix_hint: "exported; mend the import" });
});
