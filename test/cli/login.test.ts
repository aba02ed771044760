import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

test.each([
  ["claude", "echo 'Not logged in · Please run /login'; exit 1", "claude auth login, or set ANTHROPIC_API_KEY"],
  ["codex", "echo 'Not logged in' >&2; exit 1", "codex login, or set CODEX_API_KEY"],
  ["kimi", "echo 'LLM not set'; exit 1", "kimi login, or set KIMI_API_KEY"],
])("a run whose %s is not logged in suspends with 4 and prints the fix command", async (name, script, cure) => {
  const bin = makeScene();
  chmodSync(bin.put(`../bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
  // A key that proves to be invalid: a run without any key would not start.
  const keys = { ANTHROPIC_API_KEY: "spent-long-ago", CODEX_API_KEY: "spent-long-ago" };
  const scene = makeScene({ env: { ...keys, PATH: `${join(bin.repo, "../bin")}:${process.env["PATH"]}` } });
  const ended = await scene.signalbox("run", "small", "x", "--agent", `*=${name}`, "--json");
  expect(ended.exit, ended.out + ended.err).toBe(4);
  const tries = ended.events.filter(({ type }) => type === "agent.started");
  expect(tries).toHaveLength(1);
  expect(lastEvent(ended)).toMatchObject({ type: "run.suspended", reason: expect.stringContaining(cure) });
  expect((await scene.signalbox("status")).out).toContain("signalbox resume");
});

test.each([
  ["claude", "claude auth login, or set ANTHROPIC_API_KEY"],
  ["codex", "codex login, or set CODEX_API_KEY"],
])("a run whose %s has no login at all does not start, and a dry run reports it", async (name, cure) => {
  const bin = makeScene();
  chmodSync(bin.put(`../bin/${name}`, "#!/bin/sh\nexit 1\n"), 0o755);
  const nothing = { HOME: bin.repo, CLAUDE_CONFIG_DIR: "", CODEX_HOME: "", ANTHROPIC_API_KEY: "", CODEX_API_KEY: "" };
  const more = { ANTHROPIC_AUTH_TOKEN: "", CLAUDE_CODE_OAUTH_TOKEN: "" };
  const path = `${join(bin.repo, "../bin")}:${process.env["PATH"]}`;
  const scene = makeScene({ env: { ...nothing, ...more, PATH: path } });
  const refused = await scene.signalbox("run", "small", "x", "--agent", `*=${name}`, "--json");
  expect(refused.exit).toBe(4);
  expect(lastEvent(refused)).toMatchObject({
    type: "error",
    code: "LOGIN_MISSING",
    hint: expect.stringContaining(cure),
  });
  const dry = await scene.signalbox("run", "small", "x", "--agent", `*=${name}`, "--dry-run");
  expect(dry.out).toMatch(/✗ agents: .* cannot run: no login found/);
  expect((await scene.signalbox("ps")).out).not.toContain("small");
});
