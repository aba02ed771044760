import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Driver } from "../../src/core/ports/driver.ts";
import type { ProcessLimits } from "../../src/core/ports/processes.ts";
import { createAcpDriver } from "../../src/drivers/acp/acp-driver.ts";
import { GOOSE as PROGRAM } from "../../src/drivers/acp/profiles/goose.ts";
import { collectEvents, createOrder } from "../../src/drivers/driver.suite.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import { GOOSE } from "./install.ts";
import { realAgentSuite, type Stage } from "./real.suite.ts";
import { setTraps } from "./traps.ts";

function goose(command: string, url: string, limits?: ProcessLimits): Driver {
  const { origin, pathname } = new URL(`${url}/chat/completions`);
  const set = {
    GOOSE_PROVIDER: "openai",
    OPENAI_HOST: origin,
    OPENAI_BASE_PATH: pathname.slice(1),
    OPENAI_API_KEY: "sk-loopback",
    // Retries as often as usual, without a delay.
    GOOSE_PROVIDER_SKIP_BACKOFF: "true",
  };
  const profile = { ...PROGRAM.profile, command };
  return createAcpDriver({
    name: "goose",
    profile,
    model: "gpt-4o",
    environment: { set },
    ...(limits ? { limits } : {}),
  });
}

await realAgentSuite(
  {
    name: "goose",
    package: GOOSE,
    driver: goose,
    // It counts only the last request.
    usage: { inputTokens: 100, outputTokens: 20 },
  },
  addGooseCases,
);

function addGooseCases({ bin, root, model, play }: Stage): void {
  describe("the real goose", () => {
    it("asks before it writes a file, and is allowed to in its folder", async () => {
      const { events, last, order } = await play([{ write: { path: "a.txt", content: "x" } }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished", text: "ok" });
      expect(readFileSync(join(order.spool, "stdout"), "utf8")).toContain('"session/request_permission"');
      expect(readFileSync(join(order.cwd, "a.txt"), "utf8")).toBe("x");
      expect(events.filter((event) => event.type === "tool.used" && event.name.includes("(refused)"))).toEqual([]);
    });

    it("neither runs nor follows the repository's own settings", async () => {
      const order = createOrder(root());
      const { sprung } = setTraps(order.cwd, root());
      const url = model().play("traps", { write: { path: "a.txt", content: "x" } }, { text: "ok" });
      const processes = createSupervisor({ world: testWorld });
      const events = await collectEvents(goose(bin, url).dispatch(order, processes, new AbortController().signal));
      expect(events.at(-1)).toMatchObject({ type: "turn.finished", text: "ok" });
      expect(existsSync(join(order.cwd, "a.txt"))).toBe(true);
      expect(sprung()).toEqual([]);
    });

    it("is refused writes outside its folder", async () => {
      const outside = join(root(), "outside.txt");
      const { events, last } = await play([{ write: { path: outside, content: "x" } }, { text: "I could not." }]);
      expect(last).toMatchObject({ type: "turn.finished", text: "I could not." });
      expect(events).toContainEqual(expect.objectContaining({ name: expect.stringContaining("(refused)") }));
      expect(existsSync(outside)).toBe(false);
    });
  });
}
