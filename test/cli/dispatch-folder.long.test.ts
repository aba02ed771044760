import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findSandbox } from "../../src/processes/sandbox/sandbox.ts";
import { type CommandEnd, lastEvent, makeScene, type Scene } from "./scene.ts";

/** Work in rounds with check results in the prompt, then a read-only role. */
const PIPELINE = `import { definePipeline, defineRole } from "signalbox";
import { z } from "zod";

const contract = z.object({ summary: z.string() });
const writer = defineRole({ name: "writer", does: "Writes.", contract, writes: true });
const reader = defineRole({ name: "reader", does: "Reads.", contract });

export const rounds = definePipeline(
  {
    name: "rounds",
    does: "Work in rounds",
    input: z.object({ request: z.string() }),
    phases: [{ title: "1 Write", roles: [writer] }, { title: "2 Read", roles: [reader] }],
  },
  async ({ input, phase, agent, check, see, write }) => {
    phase("1 Write");
    await write("docs/plan.md", "# The plan\\n");
    const { tree } = await see("head");
    const first = await agent(writer, { ...input, again: input.request }, { writes: ["src/**"], as: "first" });
    const seen = await check(first.after, { baseline: { tree } });
    const findings = [...seen.regressions, ...seen.findings];
    const second = await agent(writer, { findings }, { writes: ["src/**"], in: first.after, as: "second" });
    const { passed } = await check(second.after, { baseline: { tree } });
    phase("2 Read");
    await agent(reader, {}, { in: second.after });
    return passed ? { status: "done", confidence: "high" } : { status: "error", reason: "still red" };
  },
);
`;

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../src/add.mjs";
import two from "two";
test("adds two numbers", () => assert.equal(add(two, 2), 4, "the sum is wrong"));
test("adds nothing", () => assert.equal(add(two, 0), 2));
${Array.from({ length: 60 }, (_, at) => `test("is there for the length of the output, ${at}", () => assert.ok(add));`).join("\n")}
`;

/** Installs a package without a network, as a setup command does. */
const SETUP = `mkdir -p node_modules/two
echo '{"name":"two","main":"two.js"}' > node_modules/two/package.json
echo 'module.exports = 2;' > node_modules/two/two.js
`;

const CONFIG = `commands:
  setup: { run: sh setup.sh, lock-file: package-lock.json }
  test: node --test
`;

const LONG_REQUEST = "Let add() add its second number as well, and say so. ".repeat(4).trim();

type ProjectOptions = { readonly sandbox: string; readonly config?: string; readonly ignores?: string };

function createProject({ sandbox, config = CONFIG, ignores }: ProjectOptions): Scene {
  const scene = makeScene({ env: { SIGNALBOX_SANDBOX: sandbox } });
  scene.put(".signalbox/pipelines/rounds.ts", PIPELINE);
  scene.put(".signalbox/config.yaml", config);
  scene.put("package.json", '{"name":"x","version":"1.0.0"}\n');
  scene.put("package-lock.json", "{}\n");
  scene.put("setup.sh", SETUP);
  scene.put("src/add.mjs", "export const add = (a, b) => a + b;\n");
  scene.put("test/add.test.mjs", TEST);
  if (ignores !== undefined) scene.put(".gitignore", ignores);
  scene.git("add", ".");
  scene.git("commit", "-qm", "a project");
  return scene;
}

/** Writes what the agent finds in its folder to files that the run keeps. */
const FIRST = [
  "node --test > src/own-checks.txt 2>&1",
  "git status --porcelain > src/status.txt",
  "echo 'module.exports = 40;' > node_modules/two/two.js",
  "echo 'export const add = (a, b) => a;' > src/add.mjs",
  "echo mine > notes.md",
];
const SECOND = [
  "cp .signalbox/checks/test.log src/log.txt",
  "cp node_modules/two/two.js src/two.txt",
  "git diff --name-status base > src/diff.txt",
  'git worktree add -q "$TMPDIR/base" base && cp "$TMPDIR/base/src/add.mjs" src/before.txt',
  "echo 'export const add = (a, b) => a + b;' > src/add.mjs",
];

async function runRounds(scene: Scene): Promise<CommandEnd> {
  const toActions = (lines: readonly string[]) => lines.map((run) => ({ run }));
  const output = { summary: "s" };
  const agents = [
    { role: "writer", instance: "first", do: toActions(FIRST), output },
    { role: "writer", instance: "second", do: toActions(SECOND), output },
    { role: "reader", output },
  ];
  writeFileSync(scene.agents, JSON.stringify({ agents }));
  return scene.signalbox("run", "rounds", LONG_REQUEST, "--agents", scene.agents, "--json");
}

/** Returns the prompt of the step with this key. */
async function readPrompt(scene: Scene, step: string): Promise<string> {
  const { out, exit, err } = await scene.signalbox("logs", "--prompt", step);
  expect(exit, err).toBe(0);
  return out;
}

function readCommittedFile(scene: Scene, ended: CommandEnd, path: string): string {
  const finished = ended.events.filter((event) => event.type === "agent.finished" && event["role"] === "writer");
  return scene.git("show", `${finished.at(-1)?.["after"]}:${path}`);
}

const { name } = await findSandbox();

describe.each([
  { sandbox: "off", has: true, ignores: undefined },
  { sandbox: "required", has: name === "bubblewrap", ignores: "node_modules/\n" },
])("with sandbox $sandbox and ignore rules $ignores", ({ sandbox, has, ignores }) => {
  const held = test.skipIf(!has);

  held(
    "an agent runs the checks in its folder, and their dependencies are never part of its changes",
    { timeout: 300_000 },
    async () => {
      const scene = createProject({ sandbox, ...(ignores === undefined ? {} : { ignores }) });
      const ended = await runRounds(scene);
      expect(lastEvent(ended)["status"], ended.out).toBe("done");
      const readLeftFile = (path: string) => readCommittedFile(scene, ended, path);
      expect(readLeftFile("src/own-checks.txt")).toMatch(/pass 62\n.*fail 0/s);
      expect(readLeftFile("src/status.txt")).not.toContain("node_modules");
      // The first agent spoiled its copy; the second agent has its own.
      expect(readLeftFile("src/two.txt")).toBe("module.exports = 2;\n");
      expect(readLeftFile("src/diff.txt")).toMatch(/^M\tsrc\/add\.mjs$/m);
      expect(readLeftFile("src/diff.txt")).not.toContain("plan.md");
      expect(readLeftFile("src/before.txt")).toContain("a + b");
      expect(readLeftFile("src/log.txt")).toContain("the sum is wrong");
      const taken = ended.events.filter((event) => event.type === "agent.finished");
      expect(JSON.stringify(taken)).not.toContain("node_modules");
      expect(JSON.stringify(taken)).not.toContain(".signalbox/checks");

      const first = await readPrompt(scene, "1 Write/first");
      expect(first).toContain("- test: `node --test`: passed before the work (62 tests)");
      expect(first).toContain("Set-up: `sh setup.sh` has been run for you: node_modules is installed");
      expect(first).toContain("again: (the same as request above)");
      expect(first).toContain("Documents of this run, to read: `docs/plan.md`.");
      expect(first.match(/End your final message/g)).toHaveLength(1);
      const second = await readPrompt(scene, "1 Write/second");
      expect(second).toContain("on this tree it fails, and did not before");
      expect(second).toContain("the sum is wrong");
      expect(second).toMatch(/tests:\n\s+- test\/add\.test\.mjs › adds two numbers/);
      expect(second).toContain("Output of failed checks: `.signalbox/checks/test.log`.");
      expect(second).toContain("`git diff base` shows it");
      expect(second).toContain("first changed notes.md; that was not taken: it may only change src/**");
      expect(second).not.toContain("Not taken of what");
      expect(second).toContain("It was made for the tree that the run started from");
      const reader = await readPrompt(scene, "2 Read");
      expect(reader).toContain("Its results so far:");
      expect(reader).toContain("on this tree it passes (62 tests)");
      expect(reader).toContain("Set-up: `sh setup.sh` has been run for you: node_modules is there.");
      expect(reader).toContain("Not taken of what first changed before: notes.md (it may only change src/**).");
      expect(reader).not.toContain("SIGNALBOX_NAME");
    },
  );
});

test("without a reusable setup the agent is told which command to run, and files created by that command are ignored", {
  timeout: 120_000,
}, async () => {
  const config = 'commands:\n  setup: "npm ci; sh setup.sh"\n  test: node --test\n';
  const scene = createProject({ sandbox: "off", config });
  const script = [{ run: "sh setup.sh" }, { write: { path: "src/a.txt", content: "a\n" } }];
  const output = { summary: "s" };
  writeFileSync(scene.agents, JSON.stringify({ agents: [{ do: script, output }] }));
  const ended = await scene.signalbox("run", "rounds", "x", "--agents", scene.agents, "--json");
  expect(lastEvent(ended)["status"], ended.out).toBe("done");
  const changed = ended.events.flatMap((event) => (event.type === "agent.finished" ? [event["changed"]] : []));
  expect(changed).toEqual([["src/a.txt"], [], undefined]);
  expect(JSON.stringify(ended.events)).not.toContain('"outside":["node_modules');
  const prompt = await readPrompt(scene, "1 Write/first");
  expect(prompt).toContain("run it first; nothing is installed in your folder");
});

test("agents are told when no commands are configured, and which checks fail on the base commit", {
  timeout: 120_000,
}, async () => {
  const none = createProject({ sandbox: "off", config: "{}\n" });
  await runRounds(none);
  expect(await readPrompt(none, "1 Write/first")).toContain("No command is configured for this project");
  expect(await readPrompt(none, "2 Read")).toContain("nothing was run on this tree");
  const { out } = await none.signalbox("logs", "--prompt", "2 Read", "--json");
  expect(JSON.parse(out)).toMatchObject({ v: 1, prompts: [{ key: "2 Read/reader", attempt: 1 }] });
  const unknown = await none.signalbox("logs", "--prompt", "3 Nothing");
  expect(unknown.err).toContain('ran in a step that starts with "3 Nothing"');
  const red = createProject({ sandbox: "off" });
  red.put("src/add.mjs", "export const add = (a) => a;\n");
  red.git("commit", "-qam", "red");
  await runRounds(red);
  const prompt = await readPrompt(red, "1 Write/first");
  expect(prompt).toContain(
    "was red before the work (61 of 62 tests pass; failing: `test/add.test.mjs › adds two numbers`)",
  );
});
