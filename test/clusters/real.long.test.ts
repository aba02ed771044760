import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import type { Json } from "../../src/core/text/json.ts";
import { ARTIFACTS } from "../../src/pipelines/clusters/artifacts.ts";
import { type CommandEnd, lastEvent, makeScene, type Scene } from "../cli/scene.ts";
import { world } from "../worlds/clusters.ts";

const FOLDER = "docs/feature/greet-people";

type Stage = Scene & {
  run(...args: readonly string[]): Promise<CommandEnd>;
  /** Rules of a test come before the shared ones. */
  play(...rules: readonly Json[]): void;
};

function scene(): Stage {
  const made = makeScene();
  for (const [path, text] of Object.entries(world.files)) made.put(path, text);
  made.put(".signalbox/config.yaml", world.config);
  made.git("add", "--all");
  made.git("commit", "-qm", "a greeting");
  const play = (...rules: readonly Json[]): void =>
    writeFileSync(made.agents, stringify({ agents: [...rules, ...world.agents] }));
  play();
  const options = ["--json", "--agents", made.agents, "--approvals", "autonomous"];
  return { ...made, play, run: (...args) => made.signalbox("run", "clusters", ...world.args, ...options, ...args) };
}
const runOf = (ended: CommandEnd): string => String(lastEvent(ended)["run"]);
const at = (stage: Stage, ended: CommandEnd, path: string): string =>
  stage.git("show", `signalbox/${runOf(ended)}:${path}`);

test("a whole feature is built on its own branch; the user's branch and files stay unchanged", async () => {
  const stage = scene();
  const ended = await stage.run();
  expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done", exit: 0 });
  const branch = `signalbox/${runOf(ended)}`;
  for (const path of world.keeps) expect(stage.git("cat-file", "-t", `${branch}:${path}`).trim()).toBe("blob");
  expect(stage.git("log", "--format=%s", `main..${branch}`).trim()).toBe("feat: greet people");
  expect(stage.git("status", "--porcelain").trim()).toBe("");
  const memory = at(stage, ended, `${FOLDER}/memory.md`);
  expect(memory).toContain("- [implementer, step-5] no folder → made one");
  expect(memory).toContain("| docs/guide.md | Use | documentation-writer |");
  expect(at(stage, ended, `${FOLDER}/review.md`)).toContain("- Tier: Standard");
  const [artifact] = ARTIFACTS;
  const front = parse(at(stage, ended, `${FOLDER}/tasks/03-guide.md`).split("---\n")[1] ?? "");
  expect(artifact?.schema.safeParse(front)).toMatchObject({ success: true });
}, 300_000);

test("code that does not build ends as ERROR after three replans, and nothing is committed", async () => {
  const stage = scene();
  stage.put(".signalbox/config.yaml", "commands:\n  build: '! grep -rqs BROKEN src'\n  test: test -d src\n");
  stage.git("commit", "-qam", "build by looking");
  const broken = { line: "DONE", message: "all green, I promise" };
  stage.play({
    role: "implementer",
    do: [{ run: 'echo "BROKEN $SIGNALBOX_ROUND" > src/$(echo $SIGNALBOX_TASK | cut -c4-).js' }],
    output: broken,
  });
  const ended = await stage.run();
  expect(lastEvent(ended)).toMatchObject({
    status: "error",
    exit: 1,
    reason: expect.stringContaining("the build is red"),
  });
  const planned = ended.events.filter((event) => event["type"] === "agent.started" && event["role"] === "planner");
  expect(planned).toHaveLength(4);
  expect(stage.git("branch", "--list", "signalbox/*").trim()).toBe("");
}, 300_000);

test("agents that write elsewhere, or write nothing, change neither the memory nor the tree", async () => {
  const stage = scene();
  const DONE = { line: "DONE", message: "as asked" };
  stage.play(
    {
      role: "spec",
      do: [
        { write: { path: `${FOLDER}/feature.md`, content: "# Feature\n\n## Memory\n\n- greet by name\n" } },
        { write: { path: `${FOLDER}/memory.md`, content: "mine\n" } },
        { write: { path: "src/sneaked.js", content: "mine\n" } },
      ],
      output: DONE,
    },
    { role: "ct-strategy", output: DONE },
  );
  const ended = await stage.run();
  expect(lastEvent(ended)).toMatchObject({ status: "done", exit: 0 });
  const retried = ended.events.filter((event) => event["type"] === "agent.retried");
  expect(retried).toMatchObject([{ role: "ct-strategy", because: { code: "output_missing" } }]);
  const report = lastEvent(ended)["report"];
  expect(report).toMatchObject({
    violations: [expect.stringContaining("memory.md"), expect.stringContaining("src/sneaked.js")],
  });
  expect(at(stage, ended, `${FOLDER}/memory.md`)).not.toContain("mine");
  expect(
    stage
      .git("ls-tree", "--name-only", `signalbox/${runOf(ended)}`, "src/")
      .trim()
      .split("\n"),
  ).toEqual(["src/greet.js", "src/old.js", "src/wave.js"]);
  expect(at(stage, ended, `${FOLDER}/design_critical_review.md`)).toContain("- Gap: ct-strategy gave no result");
}, 300_000);

test("a folder with outputs stops the run; one with only a decision log does not, and the log only grows", async () => {
  const stage = scene();
  const log = "# Decisions\n\n## Earlier\n\nWe are polite.\n";
  stage.put(`${FOLDER}/decisions.md`, log);
  stage.git("add", "--all");
  stage.git("commit", "-qm", "a log of decisions");
  stage.put(`${FOLDER}/analysis.md`, "# Old\n");
  const stopped = await stage.run();
  expect(lastEvent(stopped)).toMatchObject({
    status: "error",
    exit: 1,
    reason: expect.stringContaining("analysis.md"),
  });
  stage.git("clean", "-qfd", "docs");
  stage.play({
    role: "r-knowledge",
    do: [
      { write: { path: `${FOLDER}/review/r-knowledge.md`, content: "# Knowledge\n" } },
      { write: { path: `${FOLDER}/review/knowledge-suggestions.md`, content: "None.\n" } },
      { run: `printf '\\n## Again\\n' >> ${FOLDER}/decisions.md` },
    ],
    output: { line: "DONE", message: "noted" },
  });
  const ended = await stage.run();
  expect(lastEvent(ended)).toMatchObject({ status: "done", exit: 0 });
  expect(at(stage, ended, `${FOLDER}/decisions.md`)).toBe(`${log}\n## Again\n`);
}, 300_000);
