import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const WORKFLOW = "on: push\njobs:\n  a:\n    steps:\n      - run: npm test\n";

/** An agent that leaves files on which a plain read never returns. */
const AGENTS = `agents:
  - role: writer
    do:
      - write: { path: .github/workflows/ci.yml, content: "&a [*a,*a]" }
      - write: { path: data.yaml, content: '${'""'.repeat(60_000)}' }
      - write: { path: a.txt, content: "written\\n" }
    output: { summary: write a file }
`;

test("[H-01] a run in which an agent creates hostile files still finishes", async () => {
  const scene = makeScene();
  scene.put(".github/workflows/ci.yml", WORKFLOW);
  scene.git("add", "-A");
  scene.git("commit", "-qm", "with a workflow");
  const agents = scene.put("evil.agents.yaml", AGENTS);
  const ended = await scene.signalbox("run", "small", "x", "--agents", agents, "--json");
  expect([0, 1, 3]).toContain(ended.exit);
  expect(ended.events.map(({ type }) => type)).toContain("agent.finished");
});

test("[H-01] a run with hostile files responds to a stop signal", async () => {
  const scene = makeScene();
  const agents = scene.put("evil.agents.yaml", AGENTS);
  const talk = scene.start("run", "small", "x", "--agents", agents, "--json");
  await talk.heard("agent.finished");
  talk.kill("SIGINT");
  const { exit } = await talk.ended;
  // A late signal may arrive after the run has ended.
  expect([0, 1, 3, 130]).toContain(exit);
});

test("[H-14] a configuration with 200,000 keys is refused at once with a fix", async () => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", Array.from({ length: 200_000 }, (_, at) => `key${at}: 1\n`).join(""));
  for (const args of [
    ["agents", "list"],
    ["run", "small", "x", "--dry-run"],
  ]) {
    const refused = await scene.signalbox(...args, "--json");
    expect(lastEvent(refused)).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("too large"),
      hint: expect.stringContaining("Fix it"),
    });
  }
});

test("[H-14] a configuration with deep nesting or aliases is refused with its line", async () => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", `sandbox: auto\nagents: ${"{a: ".repeat(500)}\n`);
  const nested = await scene.signalbox("agents", "list", "--json");
  expect(lastEvent(nested)["message"]).toContain("line 2: it is nested deeper than 64 levels");
});

const MANIFESTS = ["package.json", "Makefile", "pyproject.toml", "requirements.txt", "tox.ini"];
const COMMANDS = [["doctor"], ["init", "--yes", "--no-check"], ["run", "task", "x", "--dry-run"]];

test.each<[string, (scene: Scene, file: string) => void]>([
  ["FIFOs", ({ repo }, file) => execFileSync("mkfifo", [join(repo, file)])],
  ["links to a device", ({ repo }, file) => symlinkSync("/dev/tty", join(repo, file))],
  ["links to an endless file", ({ repo }, file) => symlinkSync("/dev/zero", join(repo, file))],
])("manifests, agents and pipelines that are %s are ignored", async (_what, make) => {
  const scene = makeScene();
  scene.put(".claude/agents/a.md", "x\n");
  for (const file of [...MANIFESTS, ".claude/agents/writer.md", ".signalbox/pipelines/data.json"]) make(scene, file);
  for (const args of COMMANDS) {
    const ended = await scene.signalbox(...args);
    // doctor exits with 4 if an agent program is missing.
    expect([0, 4], `${args[0]}: ${ended.err}`).toContain(ended.exit);
    expect(ended.out).not.toMatch(/\b(npm|make|tox|pytest)\b.*from/);
  }
});

test("a manifest that links outside the repository is not read for checks", async () => {
  const scene = makeScene();
  scene.put("../outside.json", JSON.stringify({ scripts: { test: "evil-line" } }));
  symlinkSync("../outside.json", join(scene.repo, "package.json"));
  const away = await scene.signalbox("config", "explain");
  expect(away.out).not.toContain("package.json");
  scene.put("manifests/Makefile", "test:\n\ttrue\n");
  symlinkSync("manifests/Makefile", join(scene.repo, "Makefile"));
  const inside = await scene.signalbox("config", "explain");
  expect(inside.out).toContain("make test");
});

test.each<[string, string, (file: string) => void, string]>([
  ["a FIFO", "config.yaml", (file) => execFileSync("mkfifo", [file]), "it is not a regular file"],
  ["a FIFO", "config.local.yaml", (file) => execFileSync("mkfifo", [file]), "it is not a regular file"],
  ["a link to a device", "config.yaml", (file) => symlinkSync("/dev/zero", file), "outside the repository"],
  ["a link to a terminal", "config.yaml", (file) => symlinkSync("/dev/tty", file), "outside the repository"],
  ["a link to standard input", "config.local.yaml", (file) => symlinkSync("/dev/stdin", file), "it is a"],
])("%s as %s is refused with its kind", async (_what, name, make, says) => {
  const scene = makeScene();
  make(join(scene.repo, ".signalbox", name));
  for (const args of COMMANDS) {
    const { exit, out, err } = await scene.signalbox(...args);
    expect([args[0], exit]).toEqual([args[0], args[0] === "doctor" ? 4 : 2]);
    expect(`${out}${err}`).toContain(says);
  }
});

test.each([[".gitignore"], ["src/deep/.gitignore"], [".git/info/exclude"], [".git/config"]])(
  "a FIFO at %s, which git opens by itself, blocks no command and is named",
  async (path) => {
    const scene = makeScene();
    scene.put(join(path, "../kept.txt"), "x\n");
    const file = join(scene.repo, path);
    rmSync(file, { force: true });
    execFileSync("mkfifo", [file]);
    for (const args of [["doctor"], ["run", "task", "x", "--dry-run"]]) {
      const { exit, out, err } = await scene.signalbox(...args);
      expect([args[0], exit], err).toEqual([args[0], 4]);
      expect(`${out}${err}`.replaceAll(/\s+/g, " ")).toContain(file);
      expect(`${out}${err}`.replaceAll(/\s+/g, " ")).toContain(`rm ${file}`);
    }
  },
);
