import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CodexOptions, createCodexDriver } from "../../src/drivers/codex/codex-driver.ts";
import { collectEvents, createOrder } from "../../src/drivers/driver.suite.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import { CODEX } from "./install.ts";
import { type Plays, realAgentSuite, type Stage } from "./real.suite.ts";
import { setTraps } from "./traps.ts";

const KEY_NAME = "LOOPBACK_API_KEY";

function codex(bin: string, url: string, options: CodexOptions = {}) {
  const provider = { url, keyName: KEY_NAME, retries: 0 };
  const environment = { set: { [KEY_NAME]: "sk-loopback" } };
  return createCodexDriver({ bin, model: "gpt-5.5", provider, environment, ...options });
}

await realAgentSuite(
  {
    name: "codex",
    package: CODEX,
    driver: (bin, url, limits) => codex(bin, url, { limits }),
    skip: {
      "stops an agent that prints endlessly": "codex itself shortens what its tools print",
      "reports a death by signal as a transient failure": "its sandbox keeps commands from signaling it",
    },
    usage: { inputTokens: 200, outputTokens: 40 },
  },
  addCodexCases,
);

function addCodexCases({ bin, root, model, play }: Stage): void {
  describe("the real codex in its own sandbox", () => {
    it("names the file that it changed", async () => {
      const { order, events } = await play([{ write: { path: "src/a.js", content: "1;\n" } }, { text: "ok" }]);
      expect(events).toContainEqual({ type: "tool.used", name: "file_change", detail: join(order.cwd, "src/a.js") });
    });

    it("runs commands that cannot see the key", async () => {
      const { order } = await play([{ shell: "env > seen.txt" }, { text: "ok" }]);
      const seen = readFileSync(join(order.cwd, "seen.txt"), "utf8");
      expect(seen).toContain("PATH=");
      expect(seen).not.toContain("sk-loopback");
    });

    it("neither runs nor follows the repository's own settings", async () => {
      const order = createOrder(root());
      const { sprung } = setTraps(order.cwd, root());
      const url = model().play("traps", { write: { path: "a.txt", content: "x" } }, { text: "ok" });
      const processes = createSupervisor({ world: testWorld });
      const events = await collectEvents(codex(bin, url).dispatch(order, processes, new AbortController().signal));
      expect(events.at(-1)).toMatchObject({ type: "turn.finished", text: "ok" });
      expect(existsSync(join(order.cwd, "a.txt"))).toBe(true);
      expect(sprung()).toEqual([]);
    });

    it("writes nothing outside its folder", async () => {
      // The neighbor's folder is as far away as another attempt's: both are among the temporary files.
      const outside = [join(import.meta.dirname, "outside.txt"), join(root(), "outside.txt")];
      const shell = `echo in > inside.txt; ${outside.map((path) => `echo out > '${path}'`).join("; ")}`;
      const { order, last } = await play([{ shell }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(readFileSync(join(order.cwd, "inside.txt"), "utf8")).toBe("in\n");
      expect(outside.filter((path) => existsSync(path))).toEqual([]);
    });

    it("writes nothing if it is read-only", async () => {
      const plays: Plays = [{ write: { path: "a.txt", content: "x" } }, { shell: "echo x > b.txt" }, { text: "ok" }];
      const { order, last } = await play(plays, (url) => codex(bin, url, { sandbox: "read-only" }));
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(["a.txt", "b.txt"].filter((name) => existsSync(join(order.cwd, name)))).toEqual([]);
    });

    it("counts the tokens of each turn separately", async () => {
      const { order, last } = await play([{ shell: "true" }, { text: "one" }]);
      expect(last).toMatchObject({ usage: { inputTokens: 200, outputTokens: 40 } });
      const session = last?.type === "turn.finished" ? last.session : undefined;
      const next = { ...order, ...(session === undefined ? {} : { session }), spool: join(order.spool, "next") };
      const driver = codex(bin, model().play("counts", { text: "two" }));
      const events = await collectEvents(
        driver.dispatch(next, createSupervisor({ world: testWorld }), new AbortController().signal),
      );
      expect(events.at(-1)).toMatchObject({ text: "two", session, usage: { inputTokens: 100, outputTokens: 20 } });
    });

    it("is not retried after a 400 response", async () => {
      const { last } = await play([{ http: 400 }]);
      expect(last).toMatchObject({
        type: "turn.failed",
        failure: { class: "deterministic", code: "model_refused" },
      });
    });
  });
}
