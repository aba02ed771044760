import { expect, test } from "vitest";
import { stringify } from "yaml";
import { listWritablePaths, readTasks } from "../../src/pipelines/ticket/preparing/tasks-file.ts";
import { mayWrite } from "../../src/workspace/snapshot/write-scope.ts";
import {
  announced,
  checks,
  commits,
  developed,
  inputOf,
  isTaskReview,
  LINE,
  plans,
  play,
  questions,
  reviews,
  sentTo,
  TRIVIAL,
  yamlIn,
} from "./paper.ts";

const NOTHING: readonly [] = [];
const BUILD = [{ name: "build", run: "make" }];

test.each([
  ["no command at all", NOTHING],
  ["no test command", BUILD],
])("[T-18] with %s one small task is accepted by the Reviewer, never automatically", async (_, commands) => {
  const played = await play({ commands, parts: { Planner: plans(TRIVIAL) } });
  expect(played.status).toBe("done");
  expect(sentTo(played, "Reviewer").map((request) => inputOf(request)["mode"])).toEqual([
    "task-review",
    "prompt-review",
  ]);
  expect(yamlIn(played, "iteration_0/review_report.yaml")).toMatchObject({
    mode: "prompt-review",
    tests: "NOT_AVAILABLE",
  });
  const refused = await play({
    commands,
    parts: { Planner: plans(TRIVIAL), Reviewer: reviews(() => ({ status: "REJECTED", summary: "no" })) },
  });
  expect(commits(refused)).toEqual([]);
});

test("[A-24] a group without a command that proves it is accepted by the Reviewer, or repeated", async () => {
  const played = await play({ commands: [] });
  expect(played.status).toBe("done");
  const modes = sentTo(played, "Reviewer").map((request) => inputOf(request)["mode"]);
  expect(modes).toEqual(["group-review", "task-review", "prompt-review"]);
  const Reviewer = reviews((request) => {
    const first = inputOf(request)["mode"] === "group-review" && request.round === 1;
    return first ? { status: "REJECTED", summary: "half of it" } : { status: "ACCEPTED" };
  });
  const again = await play({ commands: [], parts: { Reviewer } });
  expect(developed(again).slice(0, 4)).toEqual(["T1@1", "T2@1", "T1@2", "T2@2"]);
  expect(again.status).toBe("done");
});

test("[A-25] before the trivial path accepts, every command runs at the top, whatever the policy selects", async () => {
  const validation_policy = { working_directory: "web", test_command: "make lint" };
  const tasks = { ...TRIVIAL, validation_policy };
  const played = await play({ parts: { Planner: plans(tasks) } });
  expect(played.status).toBe("done");
  const last = checks(played).filter(({ tree }) => tree === checks(played).at(-1)?.tree);
  const atTop = last.flatMap(({ commands }) => commands.filter(({ cwd }) => cwd === undefined).map(({ name }) => name));
  expect(new Set(atTop)).toEqual(new Set(["build", "test", "lint"]));
});

const CHANGE = { was: "T1 greets", becomes: "T1 is silent", tests: ["test/T1.test.ts › greets"] };

test("[A-28] changes that a plan declares are put to a person once, and declared before the work", async () => {
  const parts = { Planner: plans({ ...LINE, announces: [CHANGE] }) };
  const yes = await play({ parts, approvals: "interactive", answers: ["yes"] });
  expect(questions(yes)).toMatchObject([
    {
      show: { about: [CHANGE], excuses: [expect.stringContaining("T1 greets → T1 is silent")] },
      choices: ["yes", "no"],
    },
  ]);
  expect(announced(yes)).toEqual([[CHANGE]]);
  const no = await play({ parts, approvals: "interactive", answers: ["no"] });
  expect(announced(no)).toEqual([]);
});

test("[A-28] if nobody approves, nothing is declared", async () => {
  const played = await play({ parts: { Planner: plans({ ...LINE, announces: [CHANGE] }) } });
  expect(played.status).toBe("done");
  expect(announced(played)).toEqual([]);
});

test("[T-22] an acceptance with a critical finding accepts nothing", async () => {
  const Reviewer = reviews((request) => ({
    status: "ACCEPTED",
    findings: isTaskReview(request) ? [] : [{ severity: "critical", message: "it loses names" }],
  }));
  const played = await play({ parts: { Planner: plans(LINE), Reviewer } });
  expect(played.exit).toBe(5);
  expect(commits(played)).toEqual([]);
});

test("[T-53] an allowlist opens neither the ticket's files nor other roles' documents nor the engine's own files", () => {
  const read = readTasks(stringify({ ...TRIVIAL, validation_policy: { baseline_allowlist: ["**", "!gen/**"] } }));
  const [first] = read.ok ? read.value.tasks : [];
  if (!read.ok || !first) throw new Error("there is no task");
  const may = (path: string, task = first) => mayWrite(path, { writes: listWritablePaths(task, read.value), kept: [] });
  expect(["src/a.ts", "gen/a.ts", "docs/guide.md"].map((path) => may(path))).toEqual([true, true, true]);
  for (const path of ["prompts/ABC-1/plan.md", ".signalbox/config.yaml", "docs/ARCHITECTURE.md"])
    expect(may(path)).toBe(false);
  expect(may("docs/ARCHITECTURE.md", { ...first, files_to_modify: ["docs/ARCHITECTURE.md"] })).toBe(true);
});
