import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const scene = makeScene();
const resolveFile = (name: string): string => join(scene.repo, "..", name);
const RUN = ["run", "small", "x"];
const SCRIPTED = [...RUN, "--agents", scene.agents];

beforeAll(() => {
  writeFileSync(resolveFile("a-file"), "no folder\n");
  writeFileSync(resolveFile("torn.yaml"), "agents: [");
  mkdirSync(resolveFile("empty"));
});

/** Refusals before a run exists, with the exit code from docs/reference/cli.md and the error code. */
const REFUSALS: readonly (readonly [exit: number, code: string, args: readonly string[]])[] = [
  [2, "USAGE", ["no-such-command"]],
  [2, "USAGE", ["status", "--no-such-flag"]],
  [2, "USAGE", ["run"]],
  [2, "PIPELINE_UNKNOWN", ["run", "no-such-pipeline", "x", "--agents", scene.agents]],
  [2, "INPUT_INVALID", ["run", "small", "--agents", scene.agents]],
  [2, "INPUT_INVALID", [...SCRIPTED, "--input", "finish=never"]],
  [2, "INPUT_INVALID", ["run", "ticket", "Fix the greeting of people", "--agents", scene.agents]],
  [2, "USAGE", [...SCRIPTED, "--input", "no-value"]],
  [2, "SCRIPT_INVALID", [...RUN, "--agents", resolveFile("none.yaml")]],
  [2, "SCRIPT_INVALID", [...RUN, "--agents", resolveFile("torn.yaml")]],
  [2, "SCRIPT_INVALID", [...RUN, "--agents", resolveFile("empty")]],
  [2, "USAGE", [...SCRIPTED, "--record", resolveFile("a-file")]],
  [2, "USAGE", [...SCRIPTED, "--record", resolveFile("a-file/below")]],
  [2, "USAGE", [...SCRIPTED, "--max-time", "soon"]],
  [2, "USAGE", [...SCRIPTED, "--max-dispatches", "1.5"]],
  [2, "USAGE", [...SCRIPTED, "--budget", "free"]],
  [2, "USAGE", [...SCRIPTED, "--sandbox", "maybe"]],
  [2, "RUN_UNKNOWN", [...SCRIPTED, "--from", "no-such-run:1"]],
  [2, "USAGE", [...RUN, "--agent", "writer=no-such-driver"]],
  [4, "AGENT_MISSING", RUN],
  [2, "RUN_UNKNOWN", ["status"]],
  [2, "RUN_UNKNOWN", ["resume"]],
  [2, "RUN_UNKNOWN", ["cancel", "no-such-run"]],
  [2, "USAGE", ["events", "--after", "x"]],
  [2, "USAGE", ["pipelines", "new", "Bad/Name"]],
  [2, "PIPELINE_UNKNOWN", ["pipelines", "show", "no-such-pipeline"]],
];

test("a refusal before a run exits with its documented code, names it, and creates no run", {
  timeout: 300_000,
}, async () => {
  const left = [...REFUSALS];
  const runLane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [exit, code, args] = next;
      const ended = await scene.signalbox(...args, "--json");
      const told = { exit: ended.exit, code: ended.events.at(-1)?.["code"] };
      expect(told, `${args.join(" ")}\n${ended.out}${ended.err}`).toEqual({ exit, code });
    }
  };
  await Promise.all([runLane(), runLane()]);
  expect((await scene.signalbox("ps")).out).not.toContain("small");
});

test("a folder that is not a repository is a missing prerequisite", async () => {
  const outside = makeScene();
  expect((await outside.signalbox("-C", resolveFile("empty"), "status")).exit).toBe(4);
  expect((await outside.signalbox("-C", resolveFile("a-file"), "status")).exit).toBe(4);
});

test("a repository of another user is refused with git's own fix instead of advice to create one", async () => {
  const foreign = makeScene({ env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1", GIT_CONFIG_GLOBAL: "/dev/null" } });
  const refused = await foreign.signalbox("status", "--json");
  expect(lastEvent(refused)).toMatchObject({ code: "NOT_A_REPOSITORY" });
  expect(lastEvent(refused)["hint"]).toContain("git config --global --add safe.directory");
  expect(lastEvent(refused)["hint"]).not.toContain("git init");
});
