import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProcessLimits } from "../../src/core/ports/processes.ts";
import { createAcpDriver } from "../../src/drivers/acp/acp-driver.ts";
import { GEMINI as PROGRAM } from "../../src/drivers/acp/profiles/gemini.ts";
import { collectEvents, createOrder } from "../../src/drivers/driver.suite.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import { GEMINI } from "./install.ts";
import { realAgentSuite, type Stage } from "./real.suite.ts";

function gemini(command: string, url: string, limits: ProcessLimits = {}) {
  const set = { GEMINI_API_KEY: "loopback", GOOGLE_GEMINI_BASE_URL: url.replace(/\/v1$/, "") };
  // One attempt: the third would behave the same.
  const files = Object.entries(PROGRAM.profile.files).map(([path, text]) => [
    path,
    text.replace(/"maxAttempts":\d/, '"maxAttempts":1'),
  ]);
  const profile = { ...PROGRAM.profile, command, files: Object.fromEntries(files) };
  return createAcpDriver({ name: "gemini", profile, model: "gemini-2.5-pro", environment: { set }, limits });
}

await realAgentSuite(
  { name: "gemini", package: GEMINI, driver: gemini, usage: { inputTokens: 200, outputTokens: 40 }, startMs: 20_000 },
  addGeminiCases,
);

function addGeminiCases({ bin, root, model, play }: Stage): void {
  describe("the real gemini", () => {
    it("asks before it writes a file, and is allowed to in its folder", async () => {
      const { events, last, order } = await play([{ write: { path: "a.txt", content: "x" } }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished", text: "ok" });
      expect(readFileSync(join(order.spool, "stdout"), "utf8")).toContain('"session/request_permission"');
      expect(readFileSync(join(order.cwd, "a.txt"), "utf8")).toBe("x");
      expect(events.filter((event) => event.type === "tool.used" && event.name.includes("(refused)"))).toEqual([]);
    });

    it("is refused writes outside its folder", async () => {
      const outside = join(root(), "outside.txt");
      const { last } = await play([{ write: { path: outside, content: "x" } }, { text: "I could not." }]);
      expect(last).toMatchObject({ type: "turn.finished", text: "I could not." });
      expect(existsSync(outside)).toBe(false);
    });

    it("runs nothing that the repository's own settings request", async () => {
      const order = createOrder(root());
      const canary = join(root(), "canary");
      const settings = { mcpServers: { canary: { command: "touch", args: [canary] } } };
      mkdirSync(join(order.cwd, ".gemini"));
      writeFileSync(join(order.cwd, ".gemini", "settings.json"), JSON.stringify(settings));
      const url = model().play("canary", { shell: "echo hi > seen.txt" }, { text: "ok" });
      const processes = createSupervisor({ world: testWorld });
      const events = await collectEvents(gemini(bin, url).dispatch(order, processes, new AbortController().signal));
      expect(events.at(-1)).toMatchObject({ type: "turn.finished" });
      expect(existsSync(join(order.cwd, "seen.txt"))).toBe(true);
      expect(existsSync(canary)).toBe(false);
    });
  });
}
