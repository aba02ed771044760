import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { Prompt } from "../../src/pipelines/ticket/contracts.ts";
import { DOCS } from "../../src/pipelines/ticket/preparing/docs.ts";
import {
  afterPreflight,
  BRANCH,
  DOC_FILES,
  DONE,
  events,
  FOLDER,
  fails,
  inputsOf,
  LINE,
  logOf,
  plans,
  play,
  progressOf,
  questions,
  roles,
  sentTo,
  TRIVIAL,
  yamlIn,
} from "./paper.ts";

const small = { Planner: plans(TRIVIAL) };

test("[T-01] a request without a ticket is refused before a run exists, with both ways to name one", async () => {
  const played = play({ request: "Add three small modules to the greeter." });
  await expect(played).rejects.toMatchObject({ code: "INPUT_INVALID" });
  await expect(played).rejects.toThrow(/"ABC-123: what is wanted"\) or with --input ticket=ABC-123/);
});

test("[T-01] several ids are a question to a person, and --input ticket answers it in advance", async () => {
  const request = "Fix the DEF-8 encoding of names for ABC-12.";
  const asked = await play({ request });
  expect(asked).toMatchObject({ status: "waiting", exit: 3 });
  expect(questions(asked)).toMatchObject([{ choices: ["DEF-8", "ABC-12"] }]);
  const told = await play({ request, ticket: "ABC-12", parts: small });
  expect(told.status).toBe("done");
  expect(questions(told)).toEqual([]);
});

test("[T-01] a request that begins with its ticket is about that one, whatever else it mentions", async () => {
  const played = await play({ request: "ABC-12: Fix the names as DEF-8 did.", parts: small });
  expect(played.status).toBe("done");
  expect(questions(played)).toEqual([]);
});

test("[T-04] before the prompt is processed nothing is dispatched or written", async () => {
  const effects = afterPreflight(await play({ parts: small }));
  const first = effects.findIndex((effect) => effect.kind !== "see");
  expect(effects[first]).toMatchObject({ kind: "write", request: { path: `${FOLDER}/prompt.yaml` } });
  const looks = effects.slice(0, first).map((effect) => (effect.kind === "see" ? effect.request.what : effect.kind));
  expect(looks).toEqual(expect.arrayContaining(["startup", "files", "file", "head"]));
  expect(effects.filter((effect) => effect.kind === "write" && effect.request.to === "mirror")).toHaveLength(1);
});

test("[T-04] commands, parallelism, docs and files are read together, and all results are recorded", async () => {
  const played = await play({ parts: small });
  const started = played.records.filter((record) => record.type === "step.started");
  const at = (name: string) => started.findIndex((record) => record.key.endsWith(name));
  const together = [at("startup/startup"), at("docs/file"), at("files/files")];
  expect(Math.max(...together) - Math.min(...together)).toBe(2);
  expect(yamlIn(played, "progress.yaml")["startup"]).toMatchObject({
    docs_state: { architecture_exists: false, docs_trusted_for_planning: false, refresh_required: true },
    impact_scan: { likely_files: [], affected_areas: [] },
    planning_ready: true,
  });
});

test("[T-04] progress.yaml has the impact scan of the request", async () => {
  const base = { "src/greeter.ts": "", "src/other.ts": "" };
  const played = await play({ base, parts: small });
  expect(yamlIn(played, "progress.yaml")["startup"]).toMatchObject({
    impact_scan: { likely_files: ["src/greeter.ts"], affected_areas: ["src"] },
  });
});

test("[T-05] a clear request costs no dispatch and yields type, slug, mandates and criteria", async () => {
  const played = await play({ request: "ABC-12: Fix the greeting of names using Vitest.", parts: small });
  expect(roles(played)).not.toContain("Interpreter");
  expect(yamlIn(played, "prompt.yaml")).toMatchObject({
    type: "fix",
    slug: "fix_the_greeting",
    tool_mandates: [{ text: "using Vitest", assigned_agent: "developer" }],
    success_criteria: ["Fix the greeting of names using Vitest."],
  });
});

const VAGUE = "ABC-12: Maybe fix something about greetings. You MUST use Playwright.";
const SAID = {
  type: "fix",
  slug: "repair_the_greeting",
  tool_mandates: [{ text: "MUST use Playwright", assigned_agent: "developer" }],
  refined_prompt: "Greet people by their names.",
  success_criteria: ["a name is greeted"],
};
const interprets = (contract: object, files: Record<string, string> = {}) => ({
  ...small,
  Interpreter: () => ({ contract, files }),
});

test("[T-05] any other request costs exactly one dispatch of the Interpreter", async () => {
  const played = await play({ request: VAGUE, parts: interprets(SAID) });
  expect(played.status).toBe("done");
  expect(sentTo(played, "Interpreter")).toHaveLength(1);
  expect(yamlIn(played, "prompt.yaml")).toMatchObject({ ...SAID, jira: "ABC-12", original_request: VAGUE });
  expect(played.report).toMatchObject({ branch: "fix/ABC-12_repair_the_greeting" });
});

test("[T-36] the Interpreter's own prompt.yaml counts, and is validated like any other", async () => {
  const file = (more: object) => ({ [`${FOLDER}/prompt.yaml`]: stringify({ ...SAID, ...more }) });
  const good = await play({ request: VAGUE, parts: interprets(SAID, file({ slug: "greet_by_name" })) });
  expect(Prompt.parse(yamlIn(good, "prompt.yaml"))).toMatchObject({ slug: "greet_by_name", type: "fix" });
  const bad = await play({ request: VAGUE, parts: interprets(SAID, file({ slug: "Two words" })) });
  expect(bad).toMatchObject({ status: "error", reason: expect.stringContaining("slug: expected three words") });
  expect(roles(bad)).toEqual(["Interpreter"]);
});

test.each([
  ["type", "type should be"],
  ["slug", "slug should be"],
  ["refined_prompt", "refined_prompt should be"],
  ["success_criteria", "success_criteria should be"],
])(
  "[T-36] an Interpreter's answer without %s is refused with the field, and requested once more",
  async (field, words) => {
    const { [field as "type"]: _, ...rest } = SAID;
    const played = await play({ request: VAGUE, parts: interprets(rest) });
    expect(played).toMatchObject({ status: "error", reason: expect.stringContaining(words) });
    expect(roles(played)).toEqual(["Interpreter", "Interpreter"]);
    const mended = { Interpreter: ({ attempt }: AttemptRequest) => ({ contract: attempt === 1 ? rest : SAID }) };
    expect(await play({ request: VAGUE, parts: { ...small, ...mended } })).toMatchObject({ status: "done" });
  },
);

test("[T-36] prompt.yaml has all of its fields when the engine writes it", async () => {
  expect(() => Prompt.parse(undefined)).toThrow();
  expect(Prompt.parse(yamlIn(await play({ parts: small }), "prompt.yaml"))).toMatchObject({ jira: "ABC-12" });
});

test("[T-06] a mandate in other words than the request's is refused", async () => {
  const tool_mandates = [{ text: "use the Playwright tool", assigned_agent: "developer" }];
  const played = await play({ request: VAGUE, parts: interprets({ ...SAID, tool_mandates }) });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("use the Playwright tool") });
});

test("[T-06] a mandate that the Interpreter missed is kept", async () => {
  const played = await play({ request: VAGUE, parts: interprets({ ...SAID, tool_mandates: [] }) });
  expect(yamlIn(played, "prompt.yaml")).toMatchObject({ tool_mandates: SAID.tool_mandates });
});

test("[T-06] the Interpreter's list of mandates counts; the engine's own list is used if it gives none", async () => {
  const request = "ABC-12: Maybe fix the queue with Redis. After a failure it goes on with what was there.";
  const { tool_mandates: _, ...silent } = SAID;
  const none = await play({ request, parts: interprets({ ...silent, tool_mandates: [] }) });
  expect(yamlIn(none, "prompt.yaml")).toMatchObject({ tool_mandates: [] });
  const unsaid = await play({ request, parts: interprets(silent) });
  const tool_mandates = [{ text: "with Redis", assigned_agent: "developer" }];
  expect(yamlIn(unsaid, "prompt.yaml")).toMatchObject({ tool_mandates });
});

test("[T-34] the Interpreter's questions go to the person, in every mode", async () => {
  const asking = interprets({ ...SAID, questions: ["Which greeting?"] });
  const waiting = await play({ request: VAGUE, parts: asking });
  expect(waiting).toMatchObject({ status: "waiting", exit: 3 });
  expect(questions(waiting)).toMatchObject([{ show: ["Which greeting?"], auto: "never" }]);
  const answers = [{ choice: "answer", note: "the first one" }];
  const answered = await play({ request: VAGUE, parts: asking, answers });
  expect(sentTo(answered, "Interpreter")).toHaveLength(1);
  expect(yamlIn(answered, "prompt.yaml")).toMatchObject({ refined_prompt: expect.stringContaining("the first one") });
  expect(JSON.stringify(inputsOf(answered, "Planner")[0])).toContain("Answers: the first one");
  const wordless = await play({ request: VAGUE, parts: asking, answers: ["answer"] });
  expect(wordless).toMatchObject({ status: "waiting", exit: 3 });
  const aborted = await play({ request: VAGUE, parts: asking, answers: ["abort"] });
  expect(aborted).toMatchObject({ status: "error", reason: "the request is not clear" });
});

test("[T-35] each mandate appears verbatim in the dispatch of its agent", async () => {
  const request = "ABC-12: Add a page using Vite. Inspect the old one using Chrome DevTools.";
  const played = await play({ request, parts: { Planner: plans(LINE) } });
  const [plan] = inputsOf(played, "Planner");
  expect(plan).toMatchObject({ tool_mandates: ["using Chrome DevTools"], developer_mandates: ["using Vite"] });
  for (const input of inputsOf(played, "Developer")) expect(input["tool_mandates"]).toEqual(["using Vite"]);
});

test("[T-07] progress.yaml has every field before the planner is dispatched", async () => {
  const played = await play({ parts: small });
  const planning = played.effects.findIndex((effect) => effect.kind === "attempt" && effect.request.role === "Planner");
  const before = played.effects.slice(0, planning).filter((effect) => effect.kind === "write");
  expect(before.map((effect) => effect.request.path)).toContain(`${FOLDER}/progress.yaml`);
  const [first] = progressOf(played);
  expect(Object.keys(first ?? {}).sort()).toEqual(
    [
      ..."jira type slug branch build_command test_command max_parallel_tasks docs_cache_state_path".split(" "),
      ..."docs_trusted_for_planning trust_status git_gate_completed cycle_acceleration_mode startup metrics".split(" "),
      ..."iteration_number current_phase current_step current_task_id current_task_attempt status".split(" "),
      ..."created_at last_updated last_checkpoint iterations".split(" "),
      ..."build_command_from test_command_from run_id".split(" "),
    ].sort(),
  );
  expect(first).toMatchObject({ branch: BRANCH, build_command: "make build", current_phase: "INITIALIZED" });
});

test("[T-07] every transition writes its own checkpoint", async () => {
  const states = progressOf(await play({ parts: small }));
  for (const { last_checkpoint, current_phase, current_step } of states)
    expect(last_checkpoint).toMatchObject({ phase: current_phase, step: current_step, git_head: "c0" });
  const steps = states.map((state) => state["current_step"]);
  expect(new Set(states.map(({ last_checkpoint }) => JSON.stringify(last_checkpoint))).size).toBeGreaterThanOrEqual(
    new Set(steps).size,
  );
});

const runWithCores = (cores: number) =>
  play({ parts: small, sees: { startup: { cores, commands: {}, protectedPaths: [] } } });

test("[T-30] progress.yaml records the number of cores, or two if it is unknown", async () => {
  expect(yamlIn(await runWithCores(6), "progress.yaml")["max_parallel_tasks"]).toBe(6);
  expect(yamlIn(await runWithCores(0), "progress.yaml")["max_parallel_tasks"]).toBe(2);
});

test("[T-31] progress.yaml records both commands and the file that each comes from", async () => {
  const base = { "package.json": '{"scripts":{"build":"tsc","test":"vitest run"}}', Makefile: "test:\n\tx\n" };
  const commands = [
    { name: "build", run: "npm run build" },
    { name: "test", run: "npm run test" },
  ];
  expect(yamlIn(await play({ base, commands, parts: small }), "progress.yaml")).toMatchObject({
    build_command: "npm run build",
    build_command_from: "package.json",
    test_command: "npm run test",
    test_command_from: "package.json",
  });
});

test("[T-31] a missing command is NOT_AVAILABLE, and never passed", async () => {
  const played = await play({ commands: [{ name: "build", run: "make" }], parts: small });
  expect(yamlIn(played, "progress.yaml")).toMatchObject({ build_command: "make", test_command: "NOT_AVAILABLE" });
  expect(yamlIn(played, "iteration_0/review_report.yaml")).toMatchObject({ build: "PASSED", tests: "NOT_AVAILABLE" });
  expect(played.report).toMatchObject({ build: "PASSED", tests: "NOT_AVAILABLE" });
});

const isAt = (played: Awaited<ReturnType<typeof play>>, role: string) =>
  played.records.findIndex((record) => record.type === "agent.started" && record.role === role);

test("[T-08] untrusted documents are refreshed in parallel with the planner", async () => {
  const played = await play({ parts: small });
  const finished = played.records.findIndex((record) => record.type === "agent.finished");
  expect(isAt(played, "Planner")).toBeGreaterThan(0);
  expect(Math.max(isAt(played, "Planner"), isAt(played, "Initializer"))).toBeLessThan(finished);
  expect(sentTo(played, "Initializer")[0]?.writes).toEqual(DOCS);
});

test("[T-33] a failing Initializer warns, leaves the documents untrusted and delays nothing", async () => {
  const played = await play({ parts: { ...small, Initializer: () => fails() } });
  expect(played.status).toBe("done");
  expect(yamlIn(played, "progress.yaml")).toMatchObject({ docs_trusted_for_planning: false, trust_status: "unknown" });
  expect(logOf(played)).toContainEqual(
    expect.objectContaining({ level: "ERROR", message: expect.stringContaining("Initializer failed") }),
  );
});

test("[T-33] an Initializer that delivers nothing has failed", async () => {
  const played = await play({ parts: { ...small, Initializer: () => ({ contract: DONE }) } });
  expect(played.status).toBe("done");
  expect(
    logOf(played)
      .filter(({ level }) => level === "ERROR")
      .map(({ message }) => message),
  ).toEqual([expect.stringContaining("docs/ARCHITECTURE.md"), expect.stringContaining("docs/ARCHITECTURE.md")]);
});

test("[T-25] the log reports the start with the actual times", async () => {
  const played = await play({ parts: small });
  expect(events(played).slice(0, 3)).toEqual(["startup.analysis.start", "startup.analysis.complete", "start"]);
  const times = logOf(played).map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort());
  expect(Object.keys(DOC_FILES)).toEqual([...DOCS]);
});
