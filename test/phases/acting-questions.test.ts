import { expect, test } from "vitest";
import {
  answered,
  asked,
  builds,
  createProposal,
  createReply,
  inputsOf,
  type Part,
  phase,
  plans,
  play,
  questions,
  sentTo,
  turns,
} from "./paper.ts";

const one = (more: object = {}) => createProposal({ phases: [phase(1, 1)], complexity_tier: "TRIVIAL", ...more });
const good = builds(() => "export {};\n");
const request = {
  options: [
    {
      id: "file",
      description: "Keep it in a file",
      pros: ["simple"],
      cons: ["slow"],
      affected_files: ["src/store.ts"],
    },
    {
      id: "table",
      description: "Keep it in a table",
      pros: ["fast"],
      cons: ["a schema"],
      affected_files: ["src/db.ts"],
    },
  ],
  impact_analysis: "Where greetings are kept decides how fast they are.",
  recommended_option: "table",
  recommended_option_rationale: "Greetings are read often.",
};
const needs =
  (more: object = {}): Part =>
  () => ({
    contract: createReply("CoreImplementer", { status: "NEEDS_INPUT", clarification_request: request, ...more }),
  });
const run = (executor: Part, more: object = {}) =>
  play({ parts: { Planner: plans(one()), CoreImplementer: executor }, ...more });

test("[P-33] a person sees options with pros, cons and files, the recommendation and the impact", async () => {
  const played = await run(needs(), { approvals: "interactive", answers: ["approve"] });
  expect(played.status).toBe("waiting");
  expect(asked(played, "Phase 1 (Part 1) asks")).toMatchObject({ show: request, choices: ["file", "table"] });
});

test("[P-33] the choice is added to the next dispatch", async () => {
  const said = ["approve", { choice: "file", note: "for now" }, "commit"];
  const played = await run(turns(needs(), good), { approvals: "interactive", answers: said });
  expect(played.status).toBe("done");
  expect(inputsOf(played, "CoreImplementer").map((input) => input["choices"])).toEqual([
    undefined,
    [
      {
        question: request.impact_analysis,
        choice: "file",
        description: "Keep it in a file",
        by: "Ada",
        note: "for now",
      },
    ],
  ]);
});

test("[P-33] autonomous mode takes the recommended option, not the first, and records it", async () => {
  const played = await run(turns(needs(), good));
  expect(played.status).toBe("done");
  expect(answered(played)).toContainEqual(["automatic", "table"]);
});

test("[P-33] a recommendation that names a dangerous action waits for a person", async () => {
  const [file, table] = request.options;
  const risky = { ...request, options: [file, { ...table, description: "Drop the old table first" }] };
  const played = await run(needs({ clarification_request: risky }));
  expect(played.status).toBe("waiting");
  expect(asked(played, "asks")).toMatchObject({ auto: "never" });
});

test.each(["transient", "fixable", "needs_replan", "escalate"])(
  "[P-54] a clarification request is asked whatever class the report names: %s",
  async (kind) => {
    const played = await run(turns(needs({ failure_classification: kind }), good));
    expect(played.status).toBe("done");
    expect(asked(played, "asks")).toBeDefined();
    expect(sentTo(played, "CoreImplementer")).toHaveLength(2);
  },
);

test("[P-54] a question uses no retry", async () => {
  const fails: Part = () => ({
    contract: createReply("CoreImplementer", { status: "FAILED", failure_classification: "fixable" }),
  });
  const played = await run(turns(needs(), needs(), fails, good));
  expect(played.status).toBe("done");
  expect(inputsOf(played, "CoreImplementer")[3]).toMatchObject({ retry_attempt: 1 });
});

test("[P-54] NEEDS_INPUT without a request escalates", async () => {
  const played = await run(needs({ clarification_request: undefined, failure_classification: "transient" }));
  expect(sentTo(played, "CoreImplementer")).toHaveLength(1);
  expect(asked(played, "Try again?")).toMatchObject({ auto: "never" });
});

test("an agent that never stops asking goes to a person", async () => {
  const played = await run(needs());
  expect(sentTo(played, "CoreImplementer")).toHaveLength(4);
  expect(asked(played, "Try again?")).toBeDefined();
});

const open = (more: object) => ({
  question: "Files or a table?",
  options: ["files", "table"],
  recommendation: "table",
  ...more,
});
const two = (question: object) =>
  createProposal({ phases: [phase(1, 1), phase(2, 2)], complexity_tier: "SMALL", open_questions: [question] });

test("[P-53] an open question is asked before the phase it concerns, and the phase gets the answer", async () => {
  const plan = two(open({ class: "architecture_fork", phase_id: 2 }));
  const played = await play({ parts: { Planner: plans(plan) } });
  const order = played.records.flatMap((each) => {
    if (each.type === "approval.requested" && each.title === "Files or a table?") return ["asked"];
    return each.type === "agent.started" && each.role === "CoreImplementer" ? [each.task] : [];
  });
  expect(order).toEqual(["phase-1", "asked", "phase-2"]);
  expect(inputsOf(played, "CoreImplementer").map((input) => input["decisions"])).toEqual([
    undefined,
    [{ question: "Files or a table?", choice: "table", by: "automatic" }],
  ]);
});

test("[P-53] autonomous mode takes the recommendation; a destructive question waits for a person", async () => {
  const calm = await play({ parts: { Planner: plans(two(open({ class: "user_preference" }))) } });
  expect(calm.status).toBe("done");
  expect(answered(calm)).toContainEqual(["automatic", "table"]);
  const danger = await play({ parts: { Planner: plans(two(open({ class: "destructive_risk" }))) } });
  expect(danger.status).toBe("waiting");
  expect(sentTo(danger, "CoreImplementer")).toEqual([]);
});

test("[P-53] a question that the code base can answer is not asked", async () => {
  const played = await play({ parts: { Planner: plans(two(open({ class: "answerable" }))) } });
  expect(questions(played).map(({ title }) => title)).not.toContain("Files or a table?");
});
