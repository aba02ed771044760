import { expect, test } from "vitest";
import { parse } from "yaml";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { RED } from "../support/answers/paper-world.ts";
import { approve, builds, FOLDER, inputsOf, plans, play, says, sentTo, task } from "./paper.ts";
import { promptOf, talk } from "./talkative.ts";

const SPEC = {
  feature_name: "Greetings",
  functional_requirements: [
    { id: "FR-1", text: "greet must name the person" },
    { id: "FR-2", text: "shout must be loud" },
  ],
  acceptance_criteria: [{ id: "AC-1", text: "greet('Ada') says Ada", test_method: "test" }],
};
const DESIGN = { architecture: "one module", decisions: [{ id: "D-1", title: "one function", rationale: "shortest" }] };
const said = { spec: says(SPEC), designer: says(DESIGN) };
const one = plans(task("greet", { acceptance_criteria: ["greet('Ada') says Ada", "an empty name is refused"] }));

const defect = (message: string) => ({ severity: "Major", category: "correctness", message, files: ["src/greet.ts"] });
/** Two reviewers object in the first round of this phase, in nearly the same words. */
const createObjections =
  (phase: string) =>
  ({ instance, round, phase: at }: AttemptRequest) => {
    const objects = at === phase && round === 1 && instance !== "architecture-guardian";
    const words = instance === "security-sentinel" ? "an empty name is greeted" : "an empty name is greeted too";
    return {
      contract: {
        verdicts: { ...approve, ...(objects && { correctness: "needs_revision" }) },
        findings: objects ? [defect(words)] : [],
      },
    };
  };

test.each(["reviewer", "verifier"])("every %s gets the request and the specification", async (role) => {
  const played = await play({ parts: { ...said, planner: one } });
  const inputs = inputsOf(played, role);
  expect(inputs.length).toBeGreaterThan(0);
  for (const { request, spec } of inputs) {
    expect(request).toBe("Greet people by name");
    expect(spec).toMatchObject({
      functional_requirements: ["FR-1: greet must name the person", "FR-2: shout must be loud"],
    });
  }
});

test("a verifier gets nothing of its task twice, and only the requirements that the task serves", async () => {
  const pointed = task("greet", {
    acceptance_criteria: ["greet('Ada') says Ada"],
    relevant_context: { design_sections: ["D-1"], spec_requirements: ["FR-2"] },
  });
  const [input] = inputsOf(await play({ parts: { ...said, planner: plans(pointed) } }), "verifier");
  expect(input?.["spec"]).toEqual({ feature_name: "Greetings", functional_requirements: ["FR-2: shout must be loud"] });
});

test("each role gets the names of documents with more detail than its input, and of no others", async () => {
  const played = await play({ parts: { ...said, planner: one } });
  const named = (role: string, phase = "") => {
    const sent = sentTo(played, role).filter((request) => request.phase.startsWith(phase));
    const lists = sent.map(({ input }) => (input as { documents?: readonly string[] | string }).documents ?? []);
    return [...new Set(lists.flat())].map((path) => path.replace(`${FOLDER}/`, ""));
  };
  const research = ["architecture", "dependencies", "impact", "patterns"].map((focus) => `research/${focus}.yaml`);
  for (const role of ["spec", "designer", "planner"]) expect(named(role)).toEqual(research);
  expect(named("reviewer", "3b")).toEqual(research);
  expect(named("verifier")).toEqual(["design-output.yaml", "spec-output.yaml"]);
  expect(named("implementer")).toEqual(["design-output.yaml", "initial-request.md", "spec-output.yaml"]);
  const behind = ["design-output.yaml", "plan-output.yaml", "verification-reports/greet.yaml"];
  expect(named("reviewer", "7")).toEqual(behind);
  expect([named("researcher"), named("knowledge")]).toEqual([[], [FOLDER]]);
});

test("no prompt of a short run mentions a review of the design, or names a document twice", async () => {
  const { sent } = await talk({}, { input: { depth: "short" } });
  for (const request of sent) {
    const text = promptOf(request);
    const input = text.slice(text.indexOf("# Your input"), text.indexOf("# Your answer"));
    expect(input.match(/(?:feature|design|plan)\.md/g)).toBeNull();
    expect(request.input).not.toHaveProperty("verdicts");
    if (request.role === "designer" || request.role === "planner")
      expect(text).not.toMatch(/accepted design|is refused|revision happens|security objection|approvals/);
  }
  const [design] = sent.filter(({ role }) => role === "designer");
  expect(design?.input).toMatchObject({ review: expect.stringContaining("nobody") });
  const [full] = (await talk()).sent.filter(({ role }) => role === "designer");
  expect(full?.input).toMatchObject({ review: expect.stringContaining("3 reviewers") });
});

test("findings of different researchers have different ids, and are forwarded by title and location", async () => {
  const finding = { id: "F-1", title: "one module", detail: "all of it", evidence: ["src/greet.ts:1"] };
  const played = await play({ parts: { researcher: says({ findings: [finding, finding] }) } });
  const ids = Object.entries(played.files).flatMap(([name, text]) =>
    name.startsWith("research/") ? (parse(text) as { findings: { id: string }[] }).findings.map(({ id }) => id) : [],
  );
  expect(new Set(ids).size).toBe(8);
  expect(ids).toContain("impact-F-1");
  for (const role of ["spec", "designer"]) {
    const [input] = inputsOf(played, role);
    expect(input?.["research"]).toContainEqual({
      focus: "impact",
      findings: ["impact-F-1: one module (src/greet.ts:1)", "impact-F-1-2: one module (src/greet.ts:1)"],
    });
  }
});

test("the designer's revision gets the old design, and each objection once", async () => {
  const played = await play({ parts: { ...said, reviewer: createObjections("3b Design review"), planner: one } });
  expect(inputsOf(played, "designer")[1]).toMatchObject({
    design: { architecture: "one module", decisions: ["D-1: one function: shortest"] },
    findings: [
      { message: "an empty name is greeted too", severity: "major", by: "security-sentinel, pragmatic-verifier" },
    ],
  });
});

test.each([
  ["3b Design review", "the design was revised"],
  ["7 Code review", "greet-people-by-name-review-fix"],
])(
  "in the second round of the %s each reviewer gets its findings and what was done about them",
  async (phase, done) => {
    const played = await play({ parts: { ...said, reviewer: createObjections(phase), planner: one } });
    const second = sentTo(played, "reviewer").filter((each) => each.round === 2 && each.phase === phase);
    const earlier = second.map(({ input }) => (input as { earlier: { findings: unknown[]; done: unknown } }).earlier);
    expect(earlier.map(({ findings }) => findings.length)).toEqual([1, 0, 1]);
    expect(JSON.stringify(earlier[0]?.findings)).toContain("an empty name is greeted");
    expect(JSON.stringify(earlier[0]?.done)).toContain(done);
  },
);

test("each round's findings stay in the reviewers' documents", async () => {
  const played = await play({ parts: { ...said, reviewer: createObjections("7 Code review"), planner: one } });
  const document = played.files["review-findings/code-security-sentinel.md"] ?? "";
  expect(document).toMatch(/round 1.*an empty name is greeted.*round 2.*Nothing was found/s);
});

test("a review fix gets the defects as findings and the task's own criteria, without gate texts", async () => {
  const played = await play({ parts: { ...said, reviewer: createObjections("7 Code review"), planner: one } });
  const [fix] = inputsOf(played, "implementer").slice(-1);
  expect(fix).toMatchObject({
    task: { acceptance_criteria: ["greet('Ada') says Ada", "an empty name is refused"] },
    findings: [{ message: "an empty name is greeted too" }],
    before: { in_the_tree: true, changed: ["src/greet.ts"] },
  });
  for (const role of ["implementer", "verifier", "reviewer", "designer"]) {
    expect(JSON.stringify(inputsOf(played, role))).not.toMatch(/EG-\d|L-10:/);
  }
});

const stubborn = {
  ...said,
  planner: one,
  implementer: ({ task: id, round }: AttemptRequest) => ({
    contract: { summary: `round ${round}` },
    files: { [`src/${id}.ts`]: RED, "stray.ts": "x" },
  }),
};

test("rework gets the failures, the earlier work, the discarded files, and whether its work is in the tree", async () => {
  const [first, second, third] = inputsOf(await play({ parts: stubborn }), "implementer");
  expect(first).not.toHaveProperty("before");
  const before = { summary: "round 1", changed: ["src/greet.ts"], not_taken: ["stray.ts"] };
  expect(second?.["before"]).toEqual({ in_the_tree: true, ...before });
  expect(third?.["before"]).toEqual({ in_the_tree: false, ...before, summary: "round 2" });
  expect(JSON.stringify(second?.["findings"])).toContain("passed on the baseline and fails now");
  expect(JSON.stringify(second?.["findings"])).toContain("stray.ts is outside");
});

test("a planner that plans again gets its plan, the rounds of each task and the failures, without gate texts", async () => {
  const played = await play({ parts: { ...stubborn, verifier: says({ summary: "it does not run" }) } });
  const [, again] = inputsOf(played, "planner");
  expect(again).toMatchObject({
    mode: "replan",
    plan: [{ id: "greet", files: ["src/greet.ts"] }],
    reports: [
      {
        task_id: "greet",
        rounds: [{ round: 1, verifier: "it does not run", evidence: expect.stringContaining("test failed") }],
      },
    ],
  });
  expect(JSON.stringify(again?.["findings"])).not.toContain("EG-2");
});

test("a task that replaces a failed one gets its failures", async () => {
  const planner = ({ round }: AttemptRequest) => ({
    contract: { tasks: [task(round === 1 ? "greet" : "welcome", { files: ["src/greet.ts", "src/welcome.ts"] })] },
  });
  const implementer = builds(({ round }) => (round === 1 ? RED : "export {};"));
  const [, second] = inputsOf(await play({ parts: { ...said, planner, implementer } }), "implementer");
  expect(second).toMatchObject({ task: { id: "welcome" }, before: { in_the_tree: false } });
  expect(JSON.stringify(second?.["findings"])).toContain("fails now");
});

test("a verifier of the second round gets what the first one delivered", async () => {
  const [, second] = inputsOf(await play({ parts: stubborn }), "verifier");
  expect(second).toMatchObject({ before: { summary: "round 1", changed: ["src/greet.ts"] } });
});

test("a plan that a person sends back includes their note", async () => {
  const answers = ["proceed", { choice: "revise", note: "smaller" }];
  const [, revised] = inputsOf(
    await play({ approvals: "interactive", answers, parts: { ...said, planner: one } }),
    "planner",
  );
  expect(revised).toMatchObject({ note: "smaller", plan: [{ id: "greet" }] });
});

test("the first round's failures stay in the verification report", async () => {
  const implementer = builds(({ round }) => (round === 1 ? RED : "export {};"));
  const { files } = await play({ parts: { ...said, planner: one, implementer } });
  expect(parse(files["verification-reports/greet.yaml"] ?? "")).toMatchObject({
    round: 2,
    passed: true,
    earlier: [{ round: 1, passed: false, findings: [{ message: expect.stringContaining("fails now") }, {}] }],
  });
});

test("the retrospective agent gets the failures and sees the new code", async () => {
  const parts = {
    ...said,
    planner: one,
    reviewer: createObjections("7 Code review"),
    spec: ({ attempt }: AttemptRequest) =>
      attempt === 1 ? { failure: { code: "contract_invalid" } } : { contract: SPEC },
  };
  const played = await play({ parts });
  expect(sentTo(played, "knowledge")[0]?.tree).not.toBe("base");
  const [input] = inputsOf(played, "knowledge");
  expect(input).toMatchObject({
    changed: ["src/greet.ts"],
    went_wrong: {
      retries: [{ agent: "spec", error: "it failed: contract_invalid" }],
      gates: [expect.stringContaining("an empty name is greeted")],
    },
  });
});

test("a refused answer appears neither in later prompts nor in documents", async () => {
  const spec = ({ attempt }: AttemptRequest) =>
    attempt === 1 ? { failure: { code: "contract_invalid" } } : { contract: SPEC };
  const played = await play({ parts: { ...said, spec, planner: one } });
  const later = played.sent.filter(({ role }) => role !== "knowledge").map(({ input }) => input);
  expect(JSON.stringify([later, played.files["feature.md"], played.files["spec-output.yaml"]])).not.toMatch(/retried/i);
});
