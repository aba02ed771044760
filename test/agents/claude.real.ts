import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ClaudeOptions, claudeDriver } from "../../src/drivers/claude/claude-driver.ts";
import { all, orderIn } from "../../src/drivers/driver.suite.ts";
import { supervisor } from "../../src/processes/supervisor.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import { CLAUDE } from "./install.ts";
import { realAgentSuite, type Stage } from "./real.suite.ts";

function claude(bin: string, url: string, options: ClaudeOptions = {}) {
  const set = { ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ""), ANTHROPIC_API_KEY: "sk-loopback" };
  return claudeDriver({ bin, model: "sonnet", retries: 1, environment: { set }, ...options });
}

await realAgentSuite(
  {
    name: "claude",
    package: CLAUDE,
    driver: (bin, url, limits) => claude(bin, url, { limits }),
    usage: { inputTokens: 200, outputTokens: 40 },
  },
  ownCases,
);

function ownCases({ bin, root, model, play }: Stage): void {
  describe("the real claude", () => {
    it("says what it cost", async () => {
      const { last } = await play([{ text: "ok" }]);
      expect(last?.type === "turn.finished" && last.usage?.usd).toBeGreaterThan(0);
    });

    it("holds the model to the schema of the order", async () => {
      const properties = { ok: { type: "boolean" } };
      const schema = { type: "object", properties, required: ["ok"], additionalProperties: false };
      const url = model().play("schema", { structured: { ok: "no boolean" } }, { structured: { ok: true } });
      const processes = supervisor({ world: testWorld });
      const order = orderIn(root(), { schema });
      const events = await all(claude(bin, url).dispatch(order, processes, new AbortController().signal));
      expect(events.at(-1)).toMatchObject({ type: "turn.finished", answer: { ok: true } });
      expect(model().requests("schema").length).toBeGreaterThan(1);
    });

    it("is refused to write outside its folder, and to do what was not allowed", async () => {
      const outside = join(root(), "outside.txt");
      const { events, last } = await play([{ write: { path: outside, content: "x" } }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(events).toContainEqual(expect.objectContaining({ name: "Write (refused)" }));
      expect(existsSync(outside)).toBe(false);
      const shy = await play([{ shell: "mkdir made" }, { shell: "curl http://127.0.0.1:9" }, { text: "ok" }], (url) =>
        claude(bin, url, { allow: [] }),
      );
      expect(shy.events).toContainEqual(expect.objectContaining({ name: "Bash (refused)" }));
    });

    it("runs nothing that the repository's own settings ask for", async () => {
      const order = orderIn(root());
      const canary = (name: string) => join(root(), name);
      const hook = [{ matcher: "*", hooks: [{ type: "command", command: `touch ${canary("hook")}` }] }];
      mkdirSync(join(order.cwd, ".claude"));
      const settings = { hooks: { SessionStart: hook, PreToolUse: hook, Stop: hook }, env: { CANARY: "1" } };
      writeFileSync(join(order.cwd, ".claude", "settings.json"), JSON.stringify(settings));
      const servers = { canary: { command: "touch", args: [canary("server")] } };
      writeFileSync(join(order.cwd, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
      const url = model().play("canaries", { shell: "env > seen.txt" }, { text: "ok" });
      const processes = supervisor({ world: testWorld });
      const events = await all(claude(bin, url).dispatch(order, processes, new AbortController().signal));
      expect(events.at(-1)).toMatchObject({ type: "turn.finished" });
      expect(existsSync(join(order.cwd, "seen.txt"))).toBe(true);
      expect(["hook", "server"].filter((name) => existsSync(canary(name)))).toEqual([]);
    });
  });
}
