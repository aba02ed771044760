import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { DOCS } from "../../src/pipelines/ticket/preparing/docs.ts";
import {
  DONE,
  events,
  FOLDER,
  fails,
  GRAPH,
  graph,
  inputsOf,
  isTaskReview,
  LINE,
  logOf,
  plans,
  play,
  progressOf,
  REQUEST,
  reviews,
  roles,
  sentTo,
  splits,
  statuses,
  TRIVIAL,
  task,
  textOf,
  yamlIn,
} from "./paper.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");
const snapshotOf = (played: Awaited<ReturnType<typeof play>>, at = 0) =>
  inputsOf(played, "Planner")[at]?.["snapshot"] as Record<string, string>;

test("[T-09] the planner gets the context snapshot", async () => {
  const base = {
    "docs/ARCHITECTURE.md": lines(100),
    "docs/CODE_STYLE.md": lines(100),
    "docs/FINDINGS.md": lines(100),
    "src/greeter.ts": "",
  };
  const played = await play({ base, parts: { Planner: plans(TRIVIAL) } });
  const snapshot = snapshotOf(played);
  expect(snapshot).toMatchObject({
    impact_scan: { likely_files: ["src/greeter.ts"], affected_areas: ["src"] },
    architecture: lines(80),
    code_style: lines(40),
    findings: lines(100),
  });
  expect(snapshot["primary_input"]).toEqual({ type: "feature", original_request: REQUEST });
  expect(snapshot["progress"]).toMatchObject({ current_step: "O3" });
  const text = JSON.stringify(inputsOf(played, "Planner")[0]);
  expect(text.split(REQUEST)).toHaveLength(2);
  expect(text).not.toMatch(/metrics|minutes_estimate/);
});

test("[T-40] a missing document is `not available` in the snapshot", async () => {
  const snapshot = snapshotOf(await play({ parts: { Planner: plans(TRIVIAL) } }));
  expect(snapshot).toMatchObject({
    architecture: "not available",
    code_style: "not available",
    findings: "not available",
  });
});

test("[T-40] the first iteration plans from prompt.yaml, later ones from the whole previous review", async () => {
  const Reviewer = reviews((request) =>
    isTaskReview(request) || request.round > 1
      ? { status: "ACCEPTED" }
      : { status: "REJECTED", summary: "the shout is missing", findings: [{ message: "no shout", files: ["a.ts"] }] },
  );
  const played = await play({ parts: { Reviewer, Planner: plans(LINE) } });
  expect(inputsOf(played, "Planner")).toHaveLength(2);
  expect(snapshotOf(played, 0)["primary_input"]).toMatchObject({ original_request: REQUEST });
  expect(snapshotOf(played, 1)["primary_input"]).toBe(textOf(played, "iteration_0/review_report.yaml"));
  expect(snapshotOf(played, 1)["primary_input"]).toContain("no shout");
  const looks = inputsOf(played, "Reviewer").filter(({ mode }) => mode === "prompt-review");
  expect(looks.map(({ earlier }) => earlier)).toEqual([undefined, ["major: no shout"]]);
  expect(snapshotOf(played, 1)).toMatchObject({
    request: { original_request: REQUEST },
    previous_plan: textOf(played, "iteration_0/plan.md"),
    architecture: "# Architecture\n",
  });
});

test("a repository without any of the three documents gets none, unless a person asks for them", async () => {
  const played = await play({ documents: "keep", parts: { Planner: plans(TRIVIAL) } });
  expect(roles(played)).toEqual(["Planner", "Developer"]);
  expect(played.status).toBe("done");
  const asked = await play({ parts: { Planner: plans(TRIVIAL) } });
  expect(roles(asked)).toContain("Initializer");
});

test("the Initializer gets the changes of the work", async () => {
  const moved = graph([task("T1", "A", { files_to_modify: ["lib/T1.ts"] })]);
  const Developer = () => ({ contract: DONE, files: { "lib/T1.ts": "export {};\n" } });
  const played = await play({ parts: { Planner: plans(moved), Developer } });
  expect(inputsOf(played, "Initializer").at(-1)).toMatchObject({
    mode: "INCREMENTAL",
    changed: ["lib/T1.ts"],
    layout: ["lib/"],
  });
});

test("[T-10] a plan that postpones research stops the run with the lines", async () => {
  const played = await play({
    parts: { Planner: plans(TRIVIAL, "# Plan\n\nThe port is TBD.\nFigure out the rest.\n") },
  });
  expect(played).toMatchObject({
    status: "error",
    exit: 1,
    reason: "the plan defers research: deferred: The port is TBD.; deferred: Figure out the rest.",
  });
  expect(roles(played)).not.toContain("Developer");
  expect(yamlIn(played, "progress.yaml")).toMatchObject({ status: "ERROR" });
});

test("[T-39] a planner without a plan stops the run", async () => {
  const played = await play({ parts: { Planner: () => ({ contract: DONE }) } });
  expect(played).toMatchObject({ status: "error", exit: 1, reason: expect.stringContaining("plan.md") });
  expect(roles(played)).not.toContain("Developer");
});

test("[T-39] an older plan in the folder does not count as this attempt's", async () => {
  const base = { [`${FOLDER}/iteration_0/plan.md`]: "# Old plan\n" };
  const Planner = () => ({
    contract: DONE,
    files: { [`${FOLDER}/iteration_0/tasks.yaml`]: stringify(TRIVIAL) },
  });
  const played = await play({ base, parts: { Planner } });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("was not written by this attempt") });
});

test("[T-39] an older tasks.yaml in the folder does not count as this attempt's: the splitter makes a new one", async () => {
  const base = { [`${FOLDER}/iteration_0/tasks.yaml`]: stringify(LINE) };
  const played = await play({ base, parts: { Planner: plans(undefined), Splitter: splits(TRIVIAL) } });
  expect(roles(played)).toContain("Splitter");
});

test("[T-11] a valid tasks.yaml of the planner needs no splitter", async () => {
  const played = await play({ parts: { Planner: plans(TRIVIAL) } });
  expect(roles(played)).not.toContain("Splitter");
  expect(events(played)).toContain("splitter.skipped_planner_provided");
});

test.each([
  ["none", undefined, []],
  ["a list of groups", { ...GRAPH, parallel_groups: [["T1"]] }, ["tasks.yaml.invalid"]],
  ["no order", { ...GRAPH, execution_order: undefined }, ["tasks.yaml.invalid"]],
])("[T-11] with %s the splitter is dispatched, and the bad file appears nowhere", async (_, bad, told) => {
  const played = await play({ parts: { Planner: plans(bad), Splitter: splits(TRIVIAL) } });
  expect(played.status).toBe("done");
  expect(roles(played).filter((role) => role === "Splitter")).toHaveLength(1);
  expect(events(played).filter((event) => event === "tasks.yaml.invalid")).toEqual(told);
  expect(textOf(played, "iteration_0/tasks.yaml")).not.toContain("id: T2");
  const [order] = inputsOf(played, "Splitter");
  expect(order).toMatchObject({
    plan: expect.stringContaining("# Plan"),
    problems: [expect.stringMatching(/expected/)],
  });
});

test("[T-12] tasks of a parallel group that share a file go to the splitter", async () => {
  const shared = [task("T1", "A"), task("T2", "A", { files_to_modify: ["src/T1.ts"] })];
  const { tasks: _, ...rest } = GRAPH as { tasks: unknown };
  const bad = {
    ...rest,
    tasks: shared,
    parallel_groups: { A: ["T1", "T2"] },
    execution_order: [{ group: "A", strategy: "parallel", tasks: ["T1", "T2"] }],
  };
  const played = await play({ parts: { Planner: plans(bad), Splitter: splits(TRIVIAL) } });
  expect(logOf(played).find(({ event }) => event.endsWith("tasks.yaml.invalid"))?.message).toContain("src/T1.ts");
  expect(played.status).toBe("done");
});

test("[T-42] a second invalid file of the splitter stops the run with the reason", async () => {
  const bad = { ...GRAPH, parallel_groups: [["T1"]] };
  const played = await play({ parts: { Planner: plans(bad), Splitter: splits(bad) } });
  expect(played).toMatchObject({
    status: "error",
    reason: `${FOLDER}/iteration_0/tasks.yaml: parallel_groups: expected record, found a list of 1 item`,
  });
  expect(roles(played)).not.toContain("Developer");
});

test("[T-41] a dependency inside a group goes to the splitter", async () => {
  const tasks = [task("T1", "A"), task("T2", "A", { depends_on: ["T1"] }), task("T3", "B")];
  const played = await play({ parts: { Planner: plans({ ...GRAPH, tasks }), Splitter: splits(TRIVIAL) } });
  expect(roles(played)).toContain("Splitter");
});

test("[T-55] totals are counted once tasks.yaml is valid, and not before", async () => {
  const played = await play();
  const totals = progressOf(played).map(
    ({ current_step, metrics }) => `${current_step} ${metrics.tasks_total}/${metrics.groups_total}`,
  );
  expect(totals.filter((total) => /^(I2|O1|O3) /.test(total)).every((total) => total.endsWith(" 0/0"))).toBe(true);
  expect(totals.find((total) => total.startsWith("O4.5"))).toBe("O4.5 3/2");
});

test("[T-55] a plan cannot mark its own tasks as done", async () => {
  const tasks = [task("T1", "A", { status: "ACCEPTED" }), task("T2", "B", { status: "ACCEPTED" })];
  const played = await play({
    parts: { Planner: plans({ ...LINE, tasks }) },
  });
  expect(statuses(played)[0]).toEqual({ T1: "PENDING", T2: "PENDING" });
  expect(sentTo(played, "Developer")).toHaveLength(2);
});

test("[T-26] a planner that writes elsewhere fails, none of its output is kept, and the log has it as a violation", async () => {
  const Planner = (request: Parameters<ReturnType<typeof plans>>[0]) => {
    const made = plans(TRIVIAL)(request);
    return "files" in made ? { ...made, files: { ...made.files, "src/sly.ts": "x" } } : made;
  };
  const played = await play({ parts: { Planner } });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("src/sly.ts") });
  const violations = logOf(played).filter(({ level }) => level === "CRITICAL_VIOLATION");
  expect(violations).toHaveLength(sentTo(played, "Planner").length);
  expect(violations[0]).toMatchObject({ role_violation: "Planner", message: expect.stringContaining("src/sly.ts") });
});

test("[T-26] a violation is also logged if the second attempt succeeds", async () => {
  const Planner = (request: Parameters<ReturnType<typeof plans>>[0]) => {
    const made = plans(TRIVIAL)(request);
    if (request.attempt > 1 || !("files" in made)) return made;
    return { ...made, files: { ...made.files, [`${FOLDER}/progress.yaml`]: "status: ACCEPTED\n" } };
  };
  const played = await play({ parts: { Planner } });
  expect(played.status).toBe("done");
  expect(logOf(played).filter(({ level }) => level === "CRITICAL_VIOLATION")).toMatchObject([
    { role_violation: "Planner", message: expect.stringContaining("progress.yaml") },
  ]);
});

test("[T-26] an Interpreter's violation is in the log although the ticket files did not exist yet", async () => {
  const said = { type: "feature", slug: "add_it_all", refined_prompt: "Add it.", success_criteria: ["it is there"] };
  const Interpreter = () => ({ contract: said, files: { "src/sly.ts": "x" } });
  const played = await play({ request: "ABC-12: Maybe add it.", parts: { Interpreter } });
  expect(played.status).toBe("error");
  expect(logOf(played)[0]).toMatchObject({ level: "CRITICAL_VIOLATION", role_violation: "Interpreter" });
});

test("[T-53] each role may write its own files and no others", async () => {
  const played = await play({
    request: "ABC-12: Maybe add three modules.",
    parts: {
      Interpreter: () => ({
        contract: { type: "feature", slug: "add_three_modules", refined_prompt: "Add.", success_criteria: ["it is"] },
      }),
      Planner: plans(undefined),
      Splitter: splits(LINE),
    },
  });
  expect(played.status).toBe("done");
  const row = (role: string) => [...new Set(sentTo(played, role).map(({ writes }) => writes?.join(" ")))];
  const at = `${FOLDER}/iteration_0`;
  expect(row("Interpreter")).toEqual([`${FOLDER}/prompt.yaml`]);
  expect(row("Planner")).toEqual([`${at}/plan.md ${at}/tasks.yaml`]);
  expect(row("Splitter")).toEqual([`${at}/tasks.yaml`]);
  const kept = ["prompts/**", ".signalbox/**", "docs/docs_cache_state.yaml", ...DOCS]
    .map((path) => ` !${path}`)
    .join("");
  expect(row("Developer")).toEqual([`src/T1.ts${kept}`, `src/T2.ts${kept}`]);
  expect(row("Reviewer")).toEqual([`${at}/review_report.yaml`]);
  expect(row("Initializer")).toEqual(["docs/ARCHITECTURE.md docs/CODE_STYLE.md docs/FINDINGS.md"]);
});

test("[T-39] a planner whose answer is unusable stops the run", async () => {
  const played = await play({ parts: { Planner: () => fails("contract_invalid") } });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("Planner failed") });
});

test("a planner that crashes repeatedly uses up nothing: the run is suspended, and continues when it is resumed", async () => {
  const Planner = (request: AttemptRequest) => (request.attempt <= 2 ? fails() : plans(TRIVIAL)(request));
  const played = await play({ parts: { Planner } });
  expect(played).toMatchObject({ status: "interrupted", exit: 4 });
  await played.stage.post({ kind: "resume", by: "Ada" });
  expect(await played.stage.drive()).toMatchObject({ status: "done" });
});
