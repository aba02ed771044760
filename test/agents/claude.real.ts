import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent, DispatchOrder } from "../../src/core/ports/driver.ts";
import { type SandboxRules, wrapInSandbox } from "../../src/core/ports/processes.ts";
import { type ClaudeOptions, createClaudeDriver } from "../../src/drivers/claude/claude-driver.ts";
import { collectEvents, createOrder } from "../../src/drivers/driver.suite.ts";
import { chooseSandbox, findSandbox, type Sandbox } from "../../src/processes/sandbox/sandbox.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { listCarriers } from "../../src/processes/tag/process-tag.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import type { Play } from "../model/play.ts";
import { CLAUDE } from "./install.ts";
import { realAgentSuite, type Stage } from "./real.suite.ts";

function claude(bin: string, url: string, options: ClaudeOptions = {}) {
  const set = { ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ""), ANTHROPIC_API_KEY: "sk-loopback" };
  return createClaudeDriver({ bin, model: "sonnet", retries: 1, environment: { set }, ...options });
}

await realAgentSuite(
  {
    name: "claude",
    package: CLAUDE,
    driver: (bin, url, limits) => claude(bin, url, { limits }),
    usage: { inputTokens: 200, outputTokens: 40 },
  },
  addClaudeCases,
);

const readSpool = (order: DispatchOrder) => readFileSync(join(order.spool, "stdout"), "utf8");
const listRefusals = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type === "tool.used" && event.name.endsWith("(refused)"));

const REPOSITORY = resolve(import.meta.dirname, "../..");

const createSandboxRules = ({ cwd, home }: DispatchOrder): SandboxRules => ({
  ...{ writable: [cwd, home], hidden: [], readOnly: [], network: "all" },
  readable: [REPOSITORY, realpathSync(join(REPOSITORY, "node_modules"))],
});

async function waitForFile(path: string): Promise<void> {
  while (!existsSync(path)) await testWorld.sleep(20);
}

/** Long enough for a busy machine; an agent that takes this long was not interrupted. */
const GRACE_MS = 20_000;

function addClaudeCases({ bin, root, model, play }: Stage): void {
  /** Cancels after the first model request, or once the command runs. */
  const cancelDuring = async (what: Play, sandbox: Sandbox) => {
    const script = testWorld.newId();
    const url = model().play(script, what);
    const order = createOrder(root());
    const processes = wrapInSandbox(
      createSupervisor({ world: testWorld, graceMs: GRACE_MS, sandbox }),
      createSandboxRules(order),
    );
    const cancel = new AbortController();
    const begun = "hang" in what ? model().asked(script, 1) : waitForFile(join(order.cwd, "started"));
    const from = begun.then(() => {
      cancel.abort();
      return performance.now();
    });
    const events = await collectEvents(claude(bin, url).dispatch(order, processes, cancel.signal));
    return { order, last: events.at(-1), ms: performance.now() - (await from) };
  };

  describe("the real claude", () => {
    it("reports its cost", async () => {
      const { last } = await play([{ text: "ok" }]);
      expect(last?.type === "turn.finished" && last.usage?.usd).toBeGreaterThan(0);
    });

    it("applies the order's schema to the model", async () => {
      const properties = { ok: { type: "boolean" } };
      const schema = { type: "object", properties, required: ["ok"], additionalProperties: false };
      const url = model().play("schema", { structured: { ok: "no boolean" } }, { structured: { ok: true } });
      const processes = createSupervisor({ world: testWorld });
      const order = createOrder(root(), { schema });
      const events = await collectEvents(claude(bin, url).dispatch(order, processes, new AbortController().signal));
      expect(events.at(-1)).toMatchObject({ type: "turn.finished", answer: { ok: true } });
      expect(model().requests("schema").length).toBeGreaterThan(1);
    });

    it("asks before it writes a file, and is allowed to in its folder", async () => {
      const { events, last, order } = await play([{ write: { path: "a/b.txt", content: "x" } }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(readSpool(order)).toMatch(/"subtype":"can_use_tool","tool_name":"Write"/);
      expect(readFileSync(join(order.cwd, "a", "b.txt"), "utf8")).toBe("x");
      expect(listRefusals(events)).toEqual([]);
    });

    it("asks before it writes outside its folder, and is refused", async () => {
      const outside = join(root(), "outside.txt");
      const { events, last, order } = await play([{ write: { path: outside, content: "x" } }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(readSpool(order)).toMatch(/"subtype":"can_use_tool","tool_name":"Write"/);
      const detail = `${outside} is outside the folder of this attempt`;
      expect(listRefusals(events)).toEqual([{ type: "tool.used", name: "Write (refused)", detail }]);
      expect(existsSync(outside)).toBe(false);
    });

    it("may not write settings that it or git would obey, also in its folder", async () => {
      const write = (path: string) => ({ write: { path, content: "{}" } });
      const { events, order } = await play([write(".claude/settings.json"), write(".git/config"), { text: "ok" }]);
      expect(listRefusals(events)).toHaveLength(2);
      expect([".claude", ".git"].filter((name) => existsSync(join(order.cwd, name)))).toEqual([]);
    });

    it("is refused actions that were not allowed", async () => {
      const shy = await play([{ shell: "mkdir made" }, { shell: "curl http://127.0.0.1:9" }, { text: "ok" }], (url) =>
        claude(bin, url, { allow: [] }),
      );
      expect(listRefusals(shy.events)).toContainEqual(expect.objectContaining({ name: "Bash (refused)" }));
    });

    it.each([
      ["while its model is silent", { hang: true }, "aborted_streaming"],
      ["in the middle of a command", { shell: "touch started; tail -f /dev/null" }, "aborted_tools"],
    ] as const)("canceled %s is interrupted and exits by itself", async (_when, play, reason) => {
      for (const sandbox of new Set([await chooseSandbox("off"), await findSandbox()])) {
        const { order, last, ms } = await cancelDuring(play, sandbox);
        expect(last).toMatchObject({ type: "turn.failed", failure: { class: "canceled" } });
        // After a signal it exits without a result.
        expect(readSpool(order)).toContain(`"terminal_reason":"${reason}"`);
        expect(ms).toBeLessThan(GRACE_MS);
        expect(listCarriers(order.effect)).toEqual([]);
      }
    });

    it("runs nothing that the repository's own settings request", async () => {
      const order = createOrder(root());
      const getCanaryFile = (name: string) => join(root(), name);
      const hook = [{ matcher: "*", hooks: [{ type: "command", command: `touch ${getCanaryFile("hook")}` }] }];
      mkdirSync(join(order.cwd, ".claude"));
      const settings = { hooks: { SessionStart: hook, PreToolUse: hook, Stop: hook }, env: { CANARY: "1" } };
      writeFileSync(join(order.cwd, ".claude", "settings.json"), JSON.stringify(settings));
      const servers = { canary: { command: "touch", args: [getCanaryFile("server")] } };
      writeFileSync(join(order.cwd, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
      const url = model().play("canaries", { shell: "env > seen.txt" }, { text: "ok" });
      const processes = createSupervisor({ world: testWorld });
      const events = await collectEvents(claude(bin, url).dispatch(order, processes, new AbortController().signal));
      expect(events.at(-1)).toMatchObject({ type: "turn.finished" });
      expect(existsSync(join(order.cwd, "seen.txt"))).toBe(true);
      expect(["hook", "server"].filter((name) => existsSync(getCanaryFile(name)))).toEqual([]);
    });
  });
}
