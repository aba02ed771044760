import { describe, expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

describe("settings", () => {
  test("flags override environment, then user, team, all-repositories settings and defaults, in this order", async () => {
    const scene = makeScene({ env: { SIGNALBOX_BUDGET: "4" } });
    scene.put("../config/signalbox/config.yaml", "budget: 1\nmax-time: 1h\nsandbox: 'off'\n");
    scene.put(".signalbox/config.yaml", "budget: 2\nmax-time: 2h\n");
    scene.put(".signalbox/config.local.yaml", "budget: 3\n");
    const { settings } = JSON.parse((await scene.signalbox("config", "explain", "--json")).out);
    const [budget, maxTime] = ["budget", "max-time"].map((key) =>
      settings.find((each: { key: string }) => each.key === key),
    );
    expect(budget).toMatchObject({ value: 4, from: "SIGNALBOX_BUDGET" });
    expect(budget.hidden.map((each: { value: number }) => each.value)).toEqual([3, 2, 1]);
    expect(maxTime).toMatchObject({ value: "2h", from: ".signalbox/config.yaml" });
    expect((await scene.signalbox("config", "get", "sandbox")).out).toBe("off\n");
    expect((await scene.signalbox("config", "get", "approvals")).out).toBe("interactive\n");
    const dry = await scene.signalbox(
      "run",
      "small",
      "x",
      "--agents",
      scene.agents,
      "--budget",
      "5",
      "--dry-run",
      "--json",
    );
    expect(JSON.parse(dry.out).limits).toEqual({ usd: 5, timeMs: 7_200_000 });
  });

  test("a pipeline's own settings override the file's general settings", async () => {
    const scene = makeScene();
    scene.put(".signalbox/config.yaml", "approvals: interactive\npipelines: { small: { approvals: autonomous } }\n");
    const ended = await scene.signalbox(
      "run",
      "small",
      "x",
      "--input",
      "finish=ask",
      "--agents",
      scene.agents,
      "--json",
    );
    expect(ended.exit).toBe(0);
    expect(ended.events[0]).toMatchObject({ approvals: "autonomous" });
  });

  test("the configured setup, checks, protected paths and exam files reach the run", async () => {
    const scene = makeScene();
    scene.put(
      ".signalbox/config.yaml",
      "commands: { setup: { run: 'true', lock-file: README.md }, test: 'true' }\nprotected: ['keys/**']\nexam: { tests: ['cases/**'] }\n",
    );
    const { events } = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    expect(events[0]).toMatchObject({
      commands: [{ name: "test", run: "true" }],
      setup: { run: "true", lockFile: "README.md" },
      protectedPaths: ["keys/**"],
      exam: { tests: ["cases/**"], code: [] },
    });
  });

  test("checks are detected from project files unless the configuration lists checks or declares that there are none", async () => {
    const scene = makeScene();
    scene.put("package.json", '{ "scripts": { "test": "node --test" } }\n');
    const get = async (): Promise<Record<string, unknown>> =>
      JSON.parse((await scene.signalbox("config", "get", "--json")).out).values;
    expect(await get()).toMatchObject({ "commands.test": "npm run test" });
    scene.put(".signalbox/config.yaml", "commands: { unit: make unit }\n");
    expect(Object.keys(await get()).filter((key) => key.startsWith("commands"))).toEqual(["commands.unit"]);
    scene.put(".signalbox/config.yaml", "commands: {}\n");
    expect(Object.keys(await get()).filter((key) => key.startsWith("commands"))).toEqual([]);
  });

  test("a missing or invalid setting is refused by name", async () => {
    const scene = makeScene({ env: { SIGNALBOX_SANDBOX: "" } });
    const unknown = await scene.signalbox("config", "get", "aprovals", "--json");
    expect(lastEvent(unknown)).toMatchObject({
      code: "USAGE",
      message: expect.stringContaining('Did you mean "approvals"?'),
    });
    scene.put(".signalbox/config.yaml", "max-time: soon\n");
    const odd = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    expect(odd.exit).toBe(2);
    expect(lastEvent(odd)["message"]).toContain("max-time");
  });

  test("a disabled sandbox is reported at the start", async () => {
    const scene = makeScene();
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--sandbox", "off");
    expect(ended.out).toContain("sandbox: none (switched off)");
  });
});

const DEFINITION = (text: string, head = ""): string => `---\nname: writer\n${head}---\n${text}\n`;

describe("agent definitions", () => {
  test("[A-06] a repository's agent file replaces the built-in role of the same name", async () => {
    const scene = makeScene();
    const program = scene.put(
      "../agent.cjs",
      `const { readFileSync, writeFileSync } = require("node:fs");
      const prompt = readFileSync(0, "utf8");
      writeFileSync("prompt.txt", prompt);
      console.log(JSON.stringify({ nonce: /"nonce":\\s*"([^"]+)"/.exec(prompt)[1], contract: { summary: "s" } }));`,
    );
    scene.put(
      ".signalbox/config.yaml",
      JSON.stringify({ agents: { "*": { driver: "command", argv: [process.execPath, program] } } }),
    );
    scene.put(".opencode/agent/writer.md", DEFINITION("You are second."));
    scene.put(".claude/agents/scribe.md", DEFINITION("You write in verse.", "model: sonnet\ntools: Read\n"));
    const ended = await scene.signalbox("run", "small", "x", "--json");
    expect(ended.exit, ended.out + ended.err).toBe(0);
    const prompt = scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:prompt.txt`);
    expect(prompt).toMatch(/^You write in verse\.\n/);
    expect(prompt).not.toContain("Writes one file.");
    const { roles } = JSON.parse((await scene.signalbox("agents", "list", "small", "--json")).out);
    expect(roles[0]).toMatchObject({
      role: "writer",
      from: ".claude/agents/scribe.md",
      agentFrom: ".signalbox/config.yaml",
    });
    expect(roles[0].ignored).toMatchObject([
      {
        file: ".claude/agents/scribe.md",
        what: "model: sonnet",
        because: expect.stringContaining("do not apply to command"),
      },
      { file: ".claude/agents/scribe.md", what: "tools" },
      { file: ".opencode/agent/writer.md", what: "all of it" },
    ]);
  });

  test("an unreadable agent file is reported by `agents check` and before a run starts", async () => {
    const scene = makeScene();
    scene.put(".github/agents/writer.agent.md", "---\nname: [\n---\nWrite.\n");
    const refused = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)["message"]).toContain(".github/agents/writer.agent.md");
    const checked = await scene.signalbox("agents", "check", "small", "--agents", scene.agents, "--json");
    expect(checked.exit).toBe(4);
    expect(JSON.parse(checked.out)).toMatchObject({
      ok: false,
      roles: [{ role: "writer", problem: expect.stringContaining("YAML") }],
    });
  });

  test("a model in an agent file applies when the role runs that folder's program, and the agent's name includes it", async () => {
    const scene = makeScene();
    scene.put(".signalbox/config.yaml", "agents: { '*': { driver: claude, instead: { driver: codex } } }\n");
    scene.put(".claude/agents/writer.md", DEFINITION("Write.", "model: opus\ncolor: blue\nhooks: {}\n"));
    const told = await scene.signalbox("agents", "list", "small", "--json");
    expect(JSON.parse(told.out).roles[0]).toMatchObject({
      agent: "claude:opus, fallback codex",
      model: "opus",
      modelFrom: ".claude/agents/writer.md",
      ignored: [{ file: ".claude/agents/writer.md", what: "color, hooks" }],
    });
    const shown = (await scene.signalbox("agents", "list", "small")).out;
    expect(shown).toContain("small  agents from .signalbox/config.yaml\n");
    expect(shown).toContain(".claude/agents/writer.md, with its model\n");
    expect(shown).toContain("! ignored in .claude/agents/writer.md\n    color, hooks: only name,");
  });

  test("an agent file that matches no role is reported with the nearest role name", async () => {
    const scene = makeScene();
    scene.put(".github/agents/writr.agent.md", "Write.\n");
    scene.put(".opencode/agent/astronomer.md", "---\ndescription: Looks up.\n---\nLook.\n");
    const flags = ["--agents", scene.agents];
    const { unused } = JSON.parse((await scene.signalbox("agents", "check", ...flags, "--json")).out);
    expect(unused).toEqual([
      { file: ".github/agents/writr.agent.md", because: 'no pipeline has a role "writr"; did you mean writer?' },
      { file: ".opencode/agent/astronomer.md", because: 'no pipeline has a role "astronomer"' },
    ]);
    const shown = await scene.signalbox("agents", "check", ...flags);
    expect(shown.exit).toBe(0);
    expect(shown.out).toContain("! ignored in .opencode/agent/astronomer.md\n    all of it: no pipeline");
  });

  test("agents check names each problem once, with the affected roles and the fix", async () => {
    const scene = makeScene();
    scene.put(".signalbox/config.yaml", "agents: { '*': { driver: command, argv: [no-such-agent] } }\n");
    const { out, exit } = await scene.signalbox("agents", "check");
    expect(exit).toBe(4);
    expect(out.match(/no-such-agent is not on the PATH/g)).toHaveLength(1);
    expect(out).toMatch(/stops: .*ledger .*designer.*small writer\n/s);
    expect(out).toContain("next: put no-such-agent on the PATH\n");
  });

  test("agents check exits with 4 while a role has no agent, and with 0 once every role has one", async () => {
    const scene = makeScene();
    const before = await scene.signalbox("agents", "check", "small", "--json");
    expect(before.exit).toBe(4);
    expect(JSON.parse(before.out).roles[0]).toMatchObject({ missing: "no agent is assigned" });
    expect((await scene.signalbox("agents", "check", "small", "--agents", scene.agents, "--json")).exit).toBe(0);
  });
});

describe("limits of phases and roles", () => {
  test("a role that exhausts its budget suspends the run with 5, and a higher budget continues it", async () => {
    const scene = makeScene();
    const costly = scene.put(
      "../costly.yaml",
      "agents: [{ role: writer, output: { summary: done }, usage: { usd: 2 } }]",
    );
    scene.put(".signalbox/config.yaml", "pipelines: { small: { roles: { writer: { budget: 2 } } } }\n");
    const args = ["--agents", costly, "--input", "finish=twice", "--json"];
    const ended = await scene.signalbox("run", "small", "x", ...args);
    const last = lastEvent(ended);
    expect(last).toMatchObject({ type: "run.suspended", status: "budget", exit: 5 });
    expect(last["reason"]).toMatch(/the role writer has spent \$2.00 of \$2.00/);
    scene.put(".signalbox/config.yaml", "pipelines: { small: { roles: { writer: { budget: 9 } } } }\n");
    const resumed = await scene.signalbox("resume", String(last["run"]), "--json");
    expect(lastEvent(resumed)["type"]).toBe("run.finished");
  });

  test("a token limit is enforced if the agent reports its usage", async () => {
    const scene = makeScene();
    const wordy = scene.put(
      "../wordy.yaml",
      "agents: [{ role: writer, output: { summary: done }, usage: { inputTokens: 900, outputTokens: 100 } }]",
    );
    const args = ["--agents", wordy, "--input", "finish=twice", "--max-tokens", "1000", "--json"];
    expect(lastEvent(await scene.signalbox("run", "small", "x", ...args))).toMatchObject({ status: "budget", exit: 5 });
  });
});
