import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { builds, perform, rule, type Scene } from "./scripted.ts";

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) scene.remove();
});
async function scene(...given: Parameters<typeof perform>): Promise<Scene> {
  const made = await perform(...given);
  scenes.push(made);
  return made;
}

test("a plan is built in two waves, merged, checked and committed on the run's own branch", async () => {
  const { git, run, status, exit } = await scene();
  expect({ status, exit }).toEqual({ status: "done", exit: 0 });
  const branch = `signalbox/${run}`;
  expect(git("log", "-1", "--format=%s", branch)).toBe("feat: Add three parts");
  expect(git("diff", "--name-only", `main..${branch}`).split("\n")).toEqual([
    "NOTES.md",
    "plans/add-three-parts-complete.md",
    "plans/add-three-parts-phase-1-complete.md",
    "plans/add-three-parts-phase-2-complete.md",
    "plans/add-three-parts-phase-3-complete.md",
    "plans/add-three-parts-plan.md",
    "plans/artifacts/observability/add-three-parts.ndjson",
    "plans/session-outcomes.md",
    "src/part-1.js",
    "src/part-2.js",
    "src/part-3.js",
  ]);
  expect(git("status", "--porcelain")).toBe("");
  expect(git("rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
});

test("a report with a false claim about its tests is sent back with the engine's results, and then a person is asked", async () => {
  const liar = builds(2, "BROKEN\n");
  const { status, exit, records, dir, run } = await scene([liar]);
  expect({ status, exit }).toEqual({ status: "waiting", exit: 3 });
  const asked = records.findLast((each) => each.type === "approval.requested");
  expect(asked).toMatchObject({ title: "Try again? phase 2: no retry left for fixable", auto: "never" });
  expect(JSON.stringify(asked?.show)).toContain("test: regression");
  const done = join(dir, "runs", run, "artifacts", "plans/add-three-parts-phase-1-complete.md");
  expect(readFileSync(done, "utf8")).toContain("# Phase 1 — Part 1");
});

test("a run repairs itself: a crash is retried, a stray file dropped, a confirmed issue fixed", async () => {
  const { output: _, ...crash } = { ...builds(2), attempt: 1, do: [{ misbehave: "crash" }] };
  const content = "export const part3 = 3;\n";
  const stray = {
    ...builds(3),
    do: [{ write: { path: "src/part-3.js", content } }, { write: { path: "src/stray.js", content } }],
  };
  const issue = { severity: "MAJOR", description: "the number is wrong", file: "src/part-1.js" };
  const objects = rule(
    "CodeReviewer",
    { status: "NEEDS_REVISION", issues: [issue], validated_blocking_issues: [issue] },
    { task: "phase-1", round: 1 },
  );
  const fixes = { ...builds(1, "export const part1 = 11;\n"), round: 2 };
  const { status, records, git, run } = await scene([crash, stray, objects, fixes]);
  expect(status).toBe("done");
  expect(records.filter((each) => each.type === "agent.retried")).toHaveLength(1);
  expect(git("ls-tree", "-r", "--name-only", `signalbox/${run}`)).not.toContain("stray");
  expect(git("show", `signalbox/${run}:src/part-1.js`)).toBe("export const part1 = 11;");
});

test("an agent that never answers goes to a person, who ends the run", async () => {
  const { output: _, ...mute } = { ...builds(1), do: [{ misbehave: "empty" }] };
  const { status, exit, reason, git } = await scene([mute], ["abort"]);
  expect({ status, exit, reason }).toEqual({ status: "error", exit: 1, reason: "phase 1: transient 3 times in a row" });
  expect(git("branch", "--list", "signalbox/*")).toBe("");
});
