import { expect, test } from "vitest";
import { readContract } from "../../src/core/contract/read.ts";
import { changesIn as changes, type Play } from "../support/answers/paper-world.ts";
import {
  commits,
  crash,
  errs,
  FOLDER,
  given,
  inputsOf,
  names,
  type Part,
  phasesOf,
  pipeline,
  play,
  questions,
  report,
  revise,
  roles,
  section,
  sentTo,
  short,
  writes,
} from "./paper.ts";

const STEPS = [
  "0 Setup",
  "1 Research",
  "2 Specification",
  "3 Design",
  "3b Design review",
  "4 Planning",
  "5 Implementation",
  "6 Verification",
  "7 Final review",
];

test("[C-01] [A-21] the steps run from 0 to 7 in order, after a baseline of every command", async () => {
  expect(phasesOf(await play())).toEqual(["Preflight", ...STEPS]);
});

test("[C-01] each step dispatches only its own roles", () => {
  const allowed = Object.fromEntries(
    pipeline.phases.map(({ title, roles = [] }) => [title, roles.map(({ name }) => name)]),
  );
  expect(allowed).toEqual({
    "0 Setup": [],
    "1 Research": ["researcher"],
    "2 Specification": ["spec"],
    "3 Design": ["designer"],
    "3b Design review": ["ct-security", "ct-scalability", "ct-maintainability", "ct-strategy", "ct-aggregator"],
    "4 Planning": ["planner"],
    "5 Implementation": ["implementer", "documentation-writer"],
    "6 Verification": ["v-build", "v-tests", "v-tasks", "v-feature", "v-aggregator"],
    "7 Final review": ["r-quality", "r-security", "r-testing", "r-knowledge", "r-aggregator"],
  });
});

test("[C-01] an event with step and role precedes each dispatch", async () => {
  const announced: string[] = [];
  const { records, sent } = await play({
    perform: (effect, paper) => {
      if (effect.kind === "attempt") announced.push(effect.id);
      return paper(effect);
    },
  });
  const started = records.filter((record) => record.type === "agent.started");
  expect(started.map(({ effect }) => effect).sort()).toEqual(announced.sort());
  for (const { key, role } of started) {
    const step = records.find((record) => record.type === "step.started" && record.key === key);
    expect(step).toMatchObject({ phase: STEPS.find((title) => key.startsWith(`${title}/`)) });
    expect(sent.map((request) => request.role)).toContain(role);
  }
});

test("[C-02] step 0 writes the request and a memory of four sections before the first dispatch", async () => {
  const { effects } = await play();
  const first = effects.findIndex((effect) => effect.kind === "attempt");
  const written = effects.slice(0, first).flatMap((effect) => (effect.kind === "write" ? [effect.request] : []));
  expect(written.map(({ path }) => short(path))).toEqual(["initial-request.md", "memory.md"]);
  expect(written[0]?.text).toBe("Greet people by name\n");
  expect([...(written[1]?.text ?? "").matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    "Artifact Index",
    "Recent Decisions",
    "Lessons Learned",
    "Recent Updates",
  ]);
});

test("[C-02] every agent gets the request", async () => {
  const { sent } = await play();
  expect(sent.length).toBeGreaterThan(20);
  for (const request of sent) {
    expect(given(request).inputs).toContain(`${FOLDER}/initial-request.md`);
    expect(request.rendered.find(({ path }) => path === `${FOLDER}/initial-request.md`)?.text).toContain(
      "Greet people",
    );
  }
});

const parseContract = (text: string) => {
  const role = pipeline.roles.find(({ name }) => name === "v-tests");
  if (!role) throw new Error("there is a v-tests");
  return readContract({ dialect: pipeline.dialect, nonce: "n1", schema: role.contract, text });
};

test("[C-03] the contract is the last line of the final message, with the nonce", () => {
  expect(parseContract("I looked.\n\nNEEDS_REVISION[n1]: two tests fail\n")).toMatchObject({
    ok: true,
    value: { line: "NEEDS_REVISION", message: "two tests fail" },
  });
});

test.each([
  ["quoted build output", "DONE: build finished\nnothing else"],
  ["another nonce", "DONE[n0]: fine"],
  ["no nonce", "DONE: fine"],
  ["a contract that is not the last line", "DONE[n1]: fine\nthank you"],
  ["another word", "OK[n1]: fine"],
  ["no words", "DONE[n1]:"],
])("[C-03] %s is no contract", (_what, text) => {
  expect(parseContract(text)).toMatchObject({ ok: false });
});

test("[C-03] the same words in build output above the line do not count", () => {
  expect(parseContract("```\nERROR: boom\nDONE: built\n```\nDONE: x\nDONE[n1]: all green")).toMatchObject({
    ok: true,
    value: { line: "DONE", message: "all green" },
  });
});

test("[C-03] an agent without a contract has failed, and is retried once", async () => {
  const silent: Part = (request) =>
    request.attempt === 1 ? { failure: { code: "contract_missing" } } : writes()(request);
  const played = await play({ parts: { spec: silent } });
  expect(sentTo(played, "spec").map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(played.status).toBe("done");
});

const once =
  (first: Play): Part =>
  (request) =>
    request.attempt === 1 ? first : writes()(request);

test.each(["researcher-impact", "spec", "ct-security", "v-build", "v-tests", "v-aggregator", "r-security"])(
  "[C-04] an ERROR of %s is retried once, and the second result counts",
  async (name) => {
    const played = await play({ parts: { [name]: once(errs()) } });
    expect(sentTo(played, name).map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(played.status).toBe("done");
  },
);

test("[C-04] a second ERROR is not retried", async () => {
  const played = await play({ parts: { spec: () => errs() } });
  expect(sentTo(played, "spec")).toHaveLength(2);
});

test.each(["missing input: analysis.md", "red build"])(
  "[C-04] a deterministic ERROR is not retried: %s",
  async (why) => {
    const played = await play({ parts: { spec: () => errs(why) } });
    expect(sentTo(played, "spec")).toHaveLength(1);
    expect(played).toMatchObject({ status: "error", reason: expect.stringContaining(why) });
  },
);

test("[C-04] NEEDS_REVISION is routed, never retried", async () => {
  const object: Part = (request) => (request.round === 1 ? revise() : writes())(request);
  const played = await play({ parts: { "v-tests": object } });
  expect(sentTo(played, "v-tests").map(({ round, attempt }) => [round, attempt])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(played.records.some((record) => record.type === "agent.retried")).toBe(false);
});

test("[C-06] four researchers work at once, then one joins their findings", async () => {
  const played = await play();
  expect(names(played).slice(0, 5)).toEqual([
    "researcher-architecture",
    "researcher-impact",
    "researcher-dependencies",
    "researcher-patterns",
    "researcher",
  ]);
  const started = played.records.findIndex((record) => record.type === "agent.started");
  expect(played.records.slice(started, started + 4).map(({ type }) => type)).toEqual(Array(4).fill("agent.started"));
  expect(
    inputsOf(played, "researcher").map((input) => [input["mode"], input["focus"], ...input.outputs.map(short)]),
  ).toEqual([
    ["focused", "architecture", "research/architecture.md"],
    ["focused", "impact", "research/impact.md"],
    ["focused", "dependencies", "research/dependencies.md"],
    ["focused", "patterns", "research/patterns.md"],
    ["synthesis", undefined, "analysis.md"],
  ]);
});

test.each([
  [[], "Research is joined. Go on to the specification?", "spec"],
  [["proceed"], "The plan is ready. Go on to the implementation?", "implementer"],
])("[C-18] without an answer the run parks before the next step: after %j", async (answers, title, next) => {
  const played = await play({ approvals: "interactive", answers });
  expect(played).toMatchObject({ status: "waiting", exit: 3 });
  expect(questions(played).at(-1)).toMatchObject({ title, choices: ["proceed", "refuse"], auto: "proceed" });
  expect(roles(played)).not.toContain(next);
});

test("[C-18] autonomous mode asks no questions, and the record says so", async () => {
  const { records, status } = await play();
  expect(status).toBe("done");
  const decided = records.filter((record) => record.type === "approval.decided");
  expect(decided.map(({ by, choice }) => [by, choice])).toEqual([
    ["automatic", "proceed"],
    ["automatic", "proceed"],
  ]);
});

const BOTH = ["initial-request.md", "memory.md"];
const TASKS = ["tasks/01-greet.md", "tasks/02-shout.md"];
const OPINIONS = ["ct-security", "ct-scalability", "ct-maintainability", "ct-strategy"].map(
  (name) => `ct-review/${name}.md`,
);
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  "researcher-impact": [],
  researcher: ["architecture", "impact", "dependencies", "patterns"].map((focus) => `research/${focus}.md`),
  spec: ["analysis.md"],
  designer: ["analysis.md", "feature.md"],
  "ct-security": ["design.md", "feature.md"],
  "ct-aggregator": [...OPINIONS, "design.md"],
  planner: ["analysis.md", "feature.md", "design.md"],
  "01-greet": ["feature.md", "design.md", "tasks/01-greet.md"],
  "v-build": ["feature.md", "design.md", "plan.md", ...TASKS],
  "v-tests": ["verification/v-build.md", "feature.md"],
  "v-tasks": ["verification/v-build.md", "feature.md", "plan.md", ...TASKS],
  "v-feature": ["verification/v-build.md", "feature.md"],
  "v-aggregator": ["v-build", "v-tests", "v-tasks", "v-feature"].map((name) => `verification/${name}.md`),
  "r-quality": ["feature.md"],
  "r-security": ["feature.md"],
  "r-testing": ["feature.md"],
  "r-knowledge": [],
  "r-aggregator": [
    ...["r-quality", "r-security", "r-testing", "r-knowledge"].map((name) => `review/${name}.md`),
    "review/knowledge-suggestions.md",
  ],
};

test.each(Object.entries(INPUTS))("[C-30] %s reads exactly its files", async (name, files) => {
  const played = await play();
  const [input] = inputsOf(played, name).filter((each) => name !== "researcher" || each["mode"] === "synthesis");
  expect(input?.inputs.map(short)).toEqual([...BOTH, ...files]);
});

test("[C-30] reviewers get the tier and the change without the feature's own documents, r-knowledge the tier", async () => {
  const played = await play();
  for (const name of ["r-quality", "r-security", "r-testing"]) {
    const [input] = inputsOf(played, name);
    expect(input).toMatchObject({ tier: "Standard", diff: expect.stringContaining("src/01-greet.ts") });
    expect(input?.["diff"]).not.toContain("docs/feature/");
  }
  expect(Object.keys(inputsOf(played, "r-knowledge")[0] ?? {})).toEqual(["inputs", "outputs", "tier"]);
});

test("[C-27] every dispatch names its files one by one, including request and memory", async () => {
  const { sent } = await play();
  for (const request of sent) {
    const { inputs, outputs } = given(request);
    expect(inputs.slice(0, 2).map(short)).toEqual(BOTH);
    expect(inputs.filter((path) => path.includes("*"))).toEqual([]);
    expect(outputs.length).toBeGreaterThan(0);
    // Only the planner can name its task files.
    expect(outputs.filter((path) => path.includes("*"))).toEqual(
      request.role === "planner" ? [`${FOLDER}/tasks/*.md`] : [],
    );
  }
});

test("[C-27] every input file that a dispatch names exists", async () => {
  const { sent, effects } = await play();
  const missing = sent.flatMap((request) => {
    const there = new Set([...listInputFiles(request.tree), ...request.rendered.map(({ path }) => path)]);
    return given(request).inputs.filter((path) => !there.has(path));
  });
  expect(missing).toEqual([]);
  expect(effects.length).toBeGreaterThan(0);
});

function listInputFiles(tree: string): string[] {
  return Object.keys(changes(tree));
}

test("[C-29] the committed folder has every document of the feature, and no other", async () => {
  const [commit] = commits(await play());
  const all = [...listInputFiles(commit?.tree ?? ""), ...(commit?.rendered ?? []).map(({ path }) => path)];
  const documents = [...new Set(all)].filter((path) => path.startsWith("docs/")).map(short);
  const four = (folder: string, names: string) => names.split(" ").map((name) => `${folder}/${name}.md`);
  expect(documents.sort()).toEqual(
    [
      "initial-request.md",
      "memory.md",
      ...four("research", "architecture impact dependencies patterns"),
      "analysis.md",
      "feature.md",
      "design.md",
      ...OPINIONS,
      "design_critical_review.md",
      "plan.md",
      ...TASKS,
      ...four("verification", "v-build v-tests v-tasks v-feature"),
      "verifier.md",
      ...four("review", "r-quality r-security r-testing r-knowledge knowledge-suggestions"),
      "review.md",
      "decisions.md",
    ].sort(),
  );
});

test.each([
  ["researcher", "1"],
  ["spec", "2"],
  ["designer", "3"],
  ["ct-aggregator", "3b"],
  ["planner", "4"],
])("[C-31] an ERROR of %s after its retry halts the run in step %s", async (name, step) => {
  const fails: Part = (request) => (given(request)["mode"] === "focused" ? writes()(request) : errs("no idea"));
  const played = await play({ parts: { [name]: fails } });
  const halted = sentTo(played, name).filter((request) => given(request)["mode"] !== "focused");
  expect(halted.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(played).toMatchObject({ status: "error", exit: 1, reason: `ERROR: ${name} failed in step ${step}: no idea` });
  expect(played.sent.at(-1)?.role).toBe(name);
});

test.each(["researcher", "spec", "designer", "ct-security", "planner", "01-greet", "v-build", "r-knowledge"])(
  "[C-32] NEEDS_REVISION of %s counts as ERROR and is retried once",
  async (name) => {
    const played = await play({ parts: { [name]: revise() } });
    const tried = sentTo(played, name).map(({ instance, round, attempt }) => `${instance} ${round} ${attempt}`);
    expect(tried.filter((one) => one.endsWith(" 2")).length).toBeGreaterThan(0);
    const failed = played.records.filter((record) => record.type === "agent.retried");
    expect(failed[0]?.because).toMatchObject({ class: "contract", message: expect.stringContaining("NEEDS_REVISION") });
  },
);

const emptyHanded: Part = () => ({ contract: { line: "DONE", message: "all written" } });

test.each(["spec", "ct-security", "01-greet", "v-tests", "r-knowledge"])(
  "[C-45] DONE of %s without its file is an ERROR with one retry",
  async (name) => {
    const played = await play({ parts: { [name]: emptyHanded } });
    const retried = played.records.find(
      (record) => record.type === "agent.retried" && record.role === sentTo(played, name)[0]?.role,
    );
    expect(retried).toMatchObject({ attempt: 2, because: { class: "contract", code: "output_missing" } });
    expect(sentTo(played, name).filter(({ round }) => round === 1)).toHaveLength(2);
  },
);

test("[C-45] an empty file is no output either, and the run halts if the file is required", async () => {
  const played = await play({ parts: { spec: writes(" \n") } });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("missing or empty") });
  expect(played.reason).toContain(`${FOLDER}/feature.md`);
});

test("[C-47] an approval shows the summary of the step", async () => {
  const played = await play({ approvals: "interactive", answers: ["proceed"] });
  const [research, plan] = questions(played);
  expect(research?.show).toMatchObject({ said: "as asked", analysis: expect.stringContaining("All is well.") });
  expect(plan?.show).toMatchObject({
    said: "as asked",
    waves: [[{ id: "01-greet", agent: "implementer", files: ["src/01-greet.ts"] }], [{ id: "02-shout" }]],
  });
});

const wish = { choice: "refuse", note: "look at the tests too" };

test.each([
  [[wish, "proceed", "proceed"], "researcher", "synthesis"],
  [["proceed", wish, "proceed"], "planner", "plan"],
])("[C-47] a refusal with a note returns the step to its agent: %j", async (answers, name, mode) => {
  const played = await play({ approvals: "interactive", answers });
  const again = inputsOf(played, name).filter((input) => input["mode"] === mode);
  expect(again.map((input) => input["note"])).toEqual([undefined, "look at the tests too"]);
  expect(played.status).toBe("done");
});

test("[C-47] a step returns only once: the second refusal ends the run as ERROR", async () => {
  const played = await play({ approvals: "interactive", answers: [wish, wish, wish] });
  expect(inputsOf(played, "researcher").filter((input) => input["mode"] === "synthesis")).toHaveLength(2);
  expect(played).toMatchObject({
    status: "error",
    reason: expect.stringMatching(/^ERROR: step 1 .* second time: look at/),
  });
});

test.each([[["refuse"]], [["proceed", "refuse"]]])(
  "[C-47] a refusal without a note ends the run as ERROR: %j",
  async (answers) => {
    const played = await play({ approvals: "interactive", answers });
    expect(played).toMatchObject({
      status: "error",
      exit: 1,
      reason: expect.stringContaining("refused without a note"),
    });
    expect(roles(played)).not.toContain("implementer");
  },
);

test("[C-48] existing outputs stop the run and are named", async () => {
  const played = await play({ base: { [`${FOLDER}/analysis.md`]: "old\n", [`${FOLDER}/tasks/01.md`]: "old\n" } });
  expect(played).toMatchObject({ status: "error", exit: 1 });
  expect(played.reason).toContain(`${FOLDER}/analysis.md, ${FOLDER}/tasks/01.md`);
  expect(played.sent).toEqual([]);
  expect(played.effects.some((effect) => effect.kind === "write")).toBe(false);
});

test("[C-48] uncommitted outputs stop it too", async () => {
  const played = await play({ dirt: ["src/x.ts", `${FOLDER}/design.md`] });
  expect(played.reason).toContain(`move them: ${FOLDER}/design.md`);
  expect(played.sent).toEqual([]);
});

test("[C-48] the same request under another slug is another feature", async () => {
  const base = { [`${FOLDER}/analysis.md`]: "old\n" };
  const played = await play({ base, input: { slug: "greet-again" } });
  expect(played.sent[0]?.rendered.map(({ path }) => path)).toContain("docs/feature/greet-again/memory.md");
});

test("[C-48] a resumed run continues with its own outputs", async () => {
  const played = await play({ approvals: "interactive", answers: ["proceed", "proceed"] });
  expect(played.status).toBe("done");
  expect(section(played.files["memory.md"] ?? "", "Artifact Index")).toContain("analysis.md");
});

test("[C-40] a crash of the agent program is an ERROR like any other", async () => {
  const played = await play({ parts: { spec: () => crash } });
  expect(report(played).result).toBe("ERROR: spec failed in step 2: it failed: agent_crashed");
});
