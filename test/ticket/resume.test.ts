import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { ARTIFACTS } from "../../src/pipelines/ticket/artifacts.ts";
import { changesIn, treeOf } from "../support/answers/paper-world.ts";
import { judged } from "../support/played.ts";
import { stage } from "../support/stage.ts";
import {
  BRANCH,
  builds,
  commits,
  developed,
  events,
  FOLDER,
  fails,
  GRAPH,
  inputOf,
  inputsOf,
  LINE,
  logOf,
  type Played,
  paperOf,
  pipeline,
  plans,
  play,
  progressOf,
  questions,
  REQUEST,
  reviews,
  roles,
  type Setting,
  sentTo,
  TRIVIAL,
  task,
  textOf,
  yamlIn,
} from "./paper.ts";

/** Creates a progress.yaml in the specified format, at the given position. */
const progress = (more: object = {}): Record<string, unknown> => ({
  jira: "ABC-12",
  type: "feature",
  slug: "add_three_small",
  branch: BRANCH,
  build_command: "make build",
  test_command: "make test",
  max_parallel_tasks: 3,
  docs_cache_state_path: "docs/docs_cache_state.yaml",
  git_gate_completed: false,
  cycle_acceleration_mode: "standard",
  iteration_number: 0,
  current_phase: "TASK_EXECUTION",
  current_step: "O5",
  current_task_id: "T2",
  current_task_attempt: 1,
  status: "PENDING",
  created_at: "2030-01-01T00:00:00Z",
  ...more,
});
const PROMPT = {
  jira: "ABC-12",
  type: "feature",
  slug: "add_three_small",
  tool_mandates: [],
  original_request: REQUEST,
  refined_prompt: "Add three small modules to the greeter.",
  success_criteria: ["they are there"],
  created_at: "2030-01-01T00:00:00Z",
};
const HALF_DONE = {
  ...LINE,
  tasks: [task("T1", "A", { status: "ACCEPTED" }), task("T2", "B", { status: "REJECTED" })],
};
const books = (files: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([path, value]) => [
      `${FOLDER}/${path}`,
      typeof value === "string" ? value : stringify(value),
    ]),
  );
const known = (more: object = {}, files: Readonly<Record<string, unknown>> = {}): Setting => ({
  request: "ABC-12",
  checkout: books({
    "progress.yaml": progress(more),
    "prompt.yaml": PROMPT,
    "iteration_0/plan.md": "# Plan\n",
    "iteration_0/tasks.yaml": HALF_DONE,
    ...files,
  }),
});

test("[T-02] a ticket without a journal continues at the first task that is not accepted", async () => {
  const played = await play(known());
  expect(played.status).toBe("done");
  expect(developed(played)).toEqual(["T2@1"]);
  expect(roles(played)).not.toContain("Planner");
  expect(roles(played)).not.toContain("Interpreter");
  expect(events(played)).toEqual(expect.arrayContaining(["resume"]));
  expect(events(played)).not.toContain("start");
});

test.each([
  ["INITIALIZED", "I2", ["Planner", "Developer", "Developer"]],
  ["PLANNING", "O3", ["Planner", "Developer", "Developer"]],
  ["SPLITTING", "O4", ["Developer", "Developer"]],
  ["GIT_GATE", "O4.5", ["Developer"]],
  ["TASK_EXECUTION", "O5", ["Developer"]],
] as const)("[T-02] a ticket that stopped in %s continues there", async (current_phase, current_step, expected) => {
  const played = await play({
    ...known({ current_phase, current_step }),
    parts: { Planner: plans(LINE), Initializer: () => fails() },
  });
  expect(played.status).toBe("done");
  expect(roles(played).filter((role) => role === "Planner" || role === "Developer")).toEqual(expected);
});

test("[T-02] a ticket whose tasks are all accepted goes straight to the review", async () => {
  const tasks = LINE as { tasks: object[] };
  const done = { ...LINE, tasks: tasks.tasks.map((each) => ({ ...each, status: "ACCEPTED" })) };
  const books = known({ current_phase: "REVIEW", current_step: "O6" }, { "iteration_0/tasks.yaml": done });
  const tree = treeOf({ "src/T1.ts": "1\n", "src/T2.ts": "2\n" });
  const branch = () => ({ tree, commit: "c9", subjects: ["feat(ABC-12): T1 and T2"] });
  const played = await play({ ...books, branch });
  expect(played.status).toBe("done");
  expect(developed(played)).toEqual([]);
  expect(sentTo(played, "Reviewer")).toHaveLength(1);
});

test("[A-30] files that say ACCEPTED about a tree without changes accept nothing", async () => {
  const tasks = LINE as { tasks: object[] };
  const done = { ...LINE, tasks: tasks.tasks.map((each) => ({ ...each, status: "ACCEPTED" })) };
  const books = known({ current_phase: "REVIEW", current_step: "O6" }, { "iteration_0/tasks.yaml": done });
  const played = await play({ ...books, parts: { Planner: plans(LINE) } });
  expect(judged(played, "iteration")).toContainEqual(["A-30", false]);
  expect(developed(played)).toEqual(["T1@1", "T2@1"]);
});

test.each([
  ["no YAML", "a: [", ["expected YAML"]],
  [
    "an unknown phase",
    progress({ current_phase: "DREAMING" }),
    ["current_phase: expected INITIALIZED | ", '"DREAMING"'],
  ],
  [
    "several mistakes",
    progress({ max_parallel_tasks: 0, git_gate_completed: "yes" }),
    ["max_parallel_tasks", "git_gate_completed: expected boolean"],
  ],
  ["a missing field", progress({ branch: undefined }), ["branch: expected string, found nothing"]],
])("[T-02] a progress.yaml with %s is refused by name, nothing is dispatched or written", async (_, text, words) => {
  const played = await play(known({}, { "progress.yaml": text }));
  expect(played).toMatchObject({ status: "error", exit: 1 });
  for (const word of words) expect(played.reason).toContain(word);
  expect(played.reason).toContain(`${FOLDER}/progress.yaml: `);
  expect([...played.sent, ...played.written]).toEqual([]);
});

test.each([
  ["iteration_0/tasks.yaml", { ...HALF_DONE, parallel_groups: [] }, "parallel_groups: expected record"],
  [
    "iteration_0/tasks.yaml",
    { ...HALF_DONE, tasks: [task("T1", "A", { depends_on: ["T2"] }), task("T2", "B")] },
    "tasks (T1).depends_on",
  ],
  ["prompt.yaml", { ...PROMPT, slug: "x" }, "slug: expected three words"],
])("[T-02] %s is validated too", async (name, value, words) => {
  const played = await play(known({}, { [name]: value }));
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining(`${FOLDER}/${name}: ${words}`) });
  expect([...played.sent, ...played.written]).toEqual([]);
});

test("[T-02] a file is imported once: from then on the journal counts, and the file is rendered from it", async () => {
  const played = await play(known());
  const imports = played.records.filter(
    (record) => record.type === "step.started" && record.verb === "see" && record.key.endsWith("progress/file"),
  );
  expect(imports).toHaveLength(1);
  expect(progressOf(played)[0]).toMatchObject({ run_id: played.stage.run, current_step: "O5" });
});

test("[T-02] a ticket that ended with an error restarts", async () => {
  const played = await play({
    ...known({ status: "REJECTED", iteration_number: 4 }),
    request: REQUEST,
    parts: { Planner: plans(TRIVIAL) },
  });
  expect(played.status).toBe("done");
  expect(roles(played)).toContain("Planner");
  expect(played.report).toMatchObject({ iterations: 1 });
});

const OTHER = "ABC-12: Fix the greeting of people without a name.";

test("[T-02] autonomous mode uses a request that differs from the one in the folder, and the log says so", async () => {
  const played = await play({ ...known(), request: OTHER, parts: { Planner: plans(TRIVIAL) } });
  expect(played.status).toBe("done");
  expect(yamlIn(played, "prompt.yaml")["original_request"]).toBe(OTHER);
  expect(JSON.stringify(inputsOf(played, "Planner")[0])).toContain("people without a name");
  expect(JSON.stringify(inputsOf(played, "Planner")[0])).not.toContain("three small");
  expect(events(played)).not.toContain("resume");
  expect(logOf(played).find(({ event }) => event === "orchestrator.start")?.message).toContain(REQUEST);
  expect(played.records).toContainEqual(
    expect.objectContaining({ type: "approval.decided", choice: "the new one", by: "automatic" }),
  );
});

test("[T-02] a person who sees both requests decides which one counts", async () => {
  const setting: Setting = { ...known(), request: OTHER, approvals: "interactive", parts: { Planner: plans(TRIVIAL) } };
  const asked = await play(setting);
  expect(asked).toMatchObject({ status: "waiting", exit: 3, sent: [], written: [] });
  expect(questions(asked)).toMatchObject([{ show: { given: OTHER, kept: REQUEST } }]);
  const kept = await play({ ...setting, answers: ["the kept one"] });
  expect(events(kept)).toContain("resume");
  expect(developed(kept)).toEqual(["T2@1"]);
});

test.each(["ABC-12", "ABC-12: Add  three small modules to the greeter", REQUEST])(
  "[T-02] '%s' adds nothing new, and the ticket continues",
  async (request) => {
    const played = await play({ ...known(), request, approvals: "interactive" });
    expect(questions(played).filter(({ title }) => title.includes("another request"))).toEqual([]);
    expect(events(played)).toContain("resume");
  },
);

test("[T-02] a ticket of a run that can be resumed is left to that run", async () => {
  const first = await play({ parts: { Planner: plans(TRIVIAL), Developer: () => fails() } });
  expect(first.status).toBe("paused");
  const checkout = books({ "progress.yaml": textOf(first, "progress.yaml") ?? "" });
  const perform = paperOf({ checkout });
  const second = await startSecondRun(first, perform);
  expect(second).toMatchObject({ status: "error" });
  expect(second.reason).toContain(`signalbox resume ${first.stage.run}`);
});

/** Starts another run of the same pipeline on the same host. */
async function startSecondRun(first: Played, perform: ReturnType<typeof paperOf>) {
  const s = await stage({ pipeline, perform, host: first.stage.host, order: { input: { request: REQUEST } } });
  const end = await s.drive();
  const finished = (await s.records()).findLast((record) => record.type === "run.finished");
  return { ...end, reason: finished?.reason ?? "" };
}

test("[T-02] work that only a lost journal had is repeated from the same plan", async () => {
  const played = await play(known({ run_id: "r-gone", git_gate_completed: true }));
  expect(played.status).toBe("done");
  expect(developed(played)).toEqual(["T1@1", "T2@1"]);
  expect(roles(played)).not.toContain("Planner");
  expect(events(played)).toContain("git.gate.complete");
});

test("[T-03] legacy artifacts next to canonical ones stop the run and are named", async () => {
  const legacy = ["startup_context.yaml", "task_packets/T1.yaml"];
  const files = Object.fromEntries(legacy.map((name) => [name, "x: 1\n"]));
  const played = await play(known({}, files));
  expect(played).toMatchObject({ status: "error", exit: 1, reason: expect.stringContaining("mixed artifact model") });
  for (const name of legacy) expect(played.reason).toContain(`${FOLDER}/${name}`);
  expect([...played.sent, ...played.written]).toEqual([]);
});

test("[T-29] an ACCEPTED ticket reports that, exits 0, and dispatches nothing", async () => {
  const played = await play(known({ status: "ACCEPTED" }));
  expect(played).toMatchObject({ status: "done", exit: 0, reason: "ABC-12 is already ACCEPTED" });
  expect([...played.sent, ...played.written]).toEqual([]);
});

test("[T-28] a resumed ticket restores its commands, parallelism, branch, type, slug, gate and position", async () => {
  const commands = [
    { name: "build", run: "make build" },
    { name: "test", run: "make test" },
    { name: "check", run: "make check" },
  ];
  const more = {
    test_command: "make check",
    branch: "chore/ABC-12_another_name_here",
    type: "chore",
    slug: "another_name_here",
  };
  const played = await play({ ...known({ ...more, docs_cache_state_path: "docs/cache.yaml" }), commands });
  expect(progressOf(played)[0]).toMatchObject({
    ...more,
    build_command: "make build",
    max_parallel_tasks: 3,
    docs_cache_state_path: "docs/cache.yaml",
    cycle_acceleration_mode: "standard",
    git_gate_completed: false,
    current_phase: "TASK_EXECUTION",
    current_step: "O5",
    iteration_number: 0,
    current_task_id: "T2",
  });
  expect(inputsOf(played, "Developer")[0]).toMatchObject({ test_command: "make check" });
  expect(commits(played)).toMatchObject([{ branch: more.branch }]);
});

test("[T-28] after a completed gate the ticket's branch is its working ref again", async () => {
  const tip = { tree: treeOf({ "src/T1.ts": "done\n" }), commit: "c7", subjects: ["feat(ABC-12): begun"] };
  const played = await play({
    ...known({ git_gate_completed: true }),
    branch: (name) => (name === BRANCH ? tip : undefined),
  });
  expect(changesIn(sentTo(played, "Developer")[0]?.tree ?? "")).toEqual({ "src/T1.ts": "done\n" });
  expect(commits(played)).toMatchObject([{ branch: BRANCH, parent: "c7" }]);
  expect(events(played)).not.toContain("git.gate.start");
});

test("[T-28] uncommitted work of a ticket on its checked-out branch is included without a question", async () => {
  const setting = known({ git_gate_completed: true });
  const played = await play({
    ...setting,
    checkout: { ...setting.checkout, "src/T1.ts": "done\n" },
    dirt: ["src/T1.ts"],
    sees: { head: { tree: "base", commit: "c0", branch: BRANCH } },
  });
  expect(questions(played)).toEqual([]);
  expect(changesIn(sentTo(played, "Developer")[0]?.tree ?? "")).toMatchObject({ "src/T1.ts": "done\n" });
});

test("[T-28] another engine that takes over the run has the same files and continues at the same task", async () => {
  const parts = { Planner: plans(LINE), Developer: builds(({ task: id }) => `export const ${id} = 1;\n`) };
  let broken = true;
  const Developer = (request: Parameters<(typeof parts)["Developer"]>[0]) =>
    broken && request.task === "T2" ? fails() : parts.Developer(request);
  const paused = await play({ parts: { ...parts, Developer } });
  expect(paused.status).toBe("paused");
  broken = false;
  const taken = await paused.stage.again({});
  await taken.post({ kind: "resume", by: "Ada" });
  expect((await taken.drive()).status).toBe("done");
  const dispatched = (await taken.records()).flatMap((record) =>
    record.type === "agent.started" && record.role === "Developer" ? [record.task] : [],
  );
  expect(dispatched).toEqual(["T1", "T2", "T2", "T2", "T2", "T2", "T2"]);
});

test("[T-40] a resumed iteration plans from the previous report in the folder", async () => {
  const played = await play({
    ...known(
      { iteration_number: 1, current_phase: "PLANNING", current_step: "O1" },
      { "iteration_0/review_report.yaml": "status: REJECTED\nsummary: no shout\n" },
    ),
    parts: { Planner: plans(TRIVIAL) },
  });
  const snapshot = inputsOf(played, "Planner")[0]?.["snapshot"];
  expect(snapshot).toMatchObject({ primary_input: "status: REJECTED\nsummary: no shout\n" });
  expect(played.report).toMatchObject({ iterations: 2 });
});

test("[T-50] a ticket whose files count five iterations stops immediately", async () => {
  const played = await play(known({ iteration_number: 5, current_phase: "PLANNING", current_step: "O1" }));
  expect(played).toMatchObject({ status: "error", exit: 5, reason: expect.stringContaining("5/5") });
  expect(played.sent).toEqual([]);
});

test("[T-25] an import keeps the log and appends to it", async () => {
  const played = await play(known({}, { "log.jsonl": `${textLine("orchestrator.start")}\n` }));
  expect(logOf(played)[0]?.event).toBe("orchestrator.start");
  expect(events(played).filter((event) => event === "resume")).toHaveLength(1);
});

const textLine = (event: string): string =>
  JSON.stringify({
    timestamp: "2030-01-01T00:00:00Z",
    level: "INFO",
    agent: "Orchestrator",
    event,
    iteration: 0,
    task_id: null,
    parallel_group: null,
    message: "",
  });

test("[T-07] every file that the pipeline writes matches its schema", async () => {
  const Reviewer = reviews((request) =>
    inputOf(request)["mode"] === "task-review" || request.round > 1
      ? { status: "ACCEPTED" }
      : { status: "REJECTED", findings: [{ message: "no shout" }] },
  );
  const played = await play({ parts: { Reviewer, Planner: plans(GRAPH) } });
  const pattern = (path: string) => new RegExp(`^${path.replace("prompts/<ticket>/", "").replace("<n>", "\\d+")}$`);
  for (const { path, schema } of ARTIFACTS) {
    const files = played.written.filter((file) => pattern(path).test(file.path));
    expect([path, files.length > 0]).toEqual([path, true]);
    for (const { text } of files) for (const value of listValues(path, text)) schema.parse(value);
  }
  expect(yamlIn(played, "progress.yaml")["status"]).toBe("ACCEPTED");
});

function listValues(path: string, text: string): unknown[] {
  if (!path.endsWith(".jsonl")) return [parse(text)];
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
