import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readContract } from "../../src/core/contract/read.ts";
import { writeContract } from "../../src/core/contract/write.ts";
import type { AgentEvent } from "../../src/core/ports/driver.ts";
import { type CodexOptions, codexDriver } from "../../src/drivers/codex/codex-driver.ts";
import { all, type Behavior, driverSuite, orderIn } from "../../src/drivers/driver.suite.ts";
import { carriers } from "../../src/processes/cookie.ts";
import { supervisor } from "../../src/processes/supervisor.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import type { Play } from "../model/play.ts";
import { type ModelServer, modelServer } from "../model/server.ts";
import { CODEX, installAgent } from "./install.ts";

const installed = await installAgent(CODEX);
let model: ModelServer;
let root: string;
const processes = supervisor({ world: testWorld });
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "signalbox-real-codex-"));
  model = await modelServer();
});
afterAll(async () => {
  await model.close();
  rmSync(root, { recursive: true, force: true });
});

const KEY_NAME = "LOOPBACK_API_KEY";
type Plays = readonly [Play, ...Play[]];

function codex(bin: string, plays: Plays, options: CodexOptions = {}) {
  const script = testWorld.newId();
  const provider = { url: model.play(script, ...plays), keyName: KEY_NAME, retries: 0 };
  const environment = { set: { [KEY_NAME]: "sk-loopback" } };
  return { script, driver: codexDriver({ bin, model: "gpt-5.5", provider, environment, ...options }) };
}

async function play(bin: string, plays: Plays, options: CodexOptions = {}) {
  const { driver, script } = codex(bin, plays, options);
  const order = orderIn(root);
  const events = await all(driver.dispatch(order, processes, new AbortController().signal));
  return { order, events, last: events.at(-1), asked: model.requests(script), survivors: carriers(order.effect) };
}

if ("missing" in installed) {
  describe.skip(`the real codex (${installed.missing})`, () => {
    it("writes the file and returns the contract", () => expect.unreachable());
  });
} else {
  realCodex(installed.bin);
  driverSuite("real codex", (behavior, limits) => codex(installed.bin, playsOf(behavior), { limits }).driver, {
    skip: {
      "stops an agent that prints without end": "codex itself shortens what its tools print",
      "reports a death by signal as a transient failure": "its sandbox keeps commands from signaling it",
    },
  });
}

/** The suite's behaviors, as far as a model can bring the real program to them. */
function playsOf(behavior: Behavior): Plays {
  if (behavior.kind === "leaves") return [{ http: 500 }];
  if (behavior.kind === "answers, leaving a child in a session of its own") {
    return [{ shell: "setsid sleep 300 > /dev/null 2>&1 &" }, { text: behavior.text }];
  }
  if (behavior.kind === "answers with what it was asked") return [{ text: (prompt) => prompt }];
  if (behavior.kind !== "answers") return [{ hang: true }];
  const { writes, text } = behavior;
  return writes ? [{ shell: `printf %s '${writes.content}' > ${writes.path}` }, { text }] : [{ text }];
}

function realCodex(bin: string): void {
  describe("the real codex on a scripted model", () => {
    it("writes the file and returns the contract", async () => {
      const value = { verdict: "approve" };
      const text = `I wrote it.\n\n${writeContract({ dialect: "json", value, nonce: "n0nce" })}`;
      const { order, last, events } = await play(bin, [{ write: { path: "src/a.js", content: "1;\n" } }, { text }]);
      expect(readFileSync(join(order.cwd, "src/a.js"), "utf8")).toBe("1;\n");
      expect(events).toContainEqual({ type: "tool.used", name: "file_change", detail: join(order.cwd, "src/a.js") });
      expect(last).toMatchObject({ type: "turn.finished", usage: { inputTokens: 200, outputTokens: 40 } });
      const schema = z.object({ verdict: z.enum(["approve", "reject"]) });
      const reading = readContract({ dialect: "json", text: textOf(last), nonce: order.nonce, schema });
      expect(reading).toEqual({ ok: true, value });
    });

    it("is asked with the prompt of the dispatch", async () => {
      const { last } = await play(bin, [{ text: (prompt) => `You said: ${prompt}` }]);
      expect(textOf(last)).toBe("You said: Design it.");
    });

    it("runs commands that carry the cookie and do not see the key", async () => {
      const { order, last } = await play(bin, [{ shell: "env > seen.txt" }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished" });
      const seen = readFileSync(join(order.cwd, "seen.txt"), "utf8");
      expect(seen).toContain(`SIGNALBOX_COOKIE=${order.effect}\n`);
      expect(seen).not.toContain("sk-loopback");
    });

    it("writes nothing outside its folder", async () => {
      // The neighbor's folder is as far away as another attempt's: both lie where temporary files do.
      const outside = [join(import.meta.dirname, "outside.txt"), join(root, "outside.txt")];
      const shell = `echo in > inside.txt; ${outside.map((path) => `echo out > '${path}'`).join("; ")}`;
      const { order, last } = await play(bin, [{ shell }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(readFileSync(join(order.cwd, "inside.txt"), "utf8")).toBe("in\n");
      expect(outside.filter((path) => existsSync(path))).toEqual([]);
    });

    it("writes nothing at all when it may only read", async () => {
      const plays: Plays = [{ write: { path: "a.txt", content: "x" } }, { shell: "echo x > b.txt" }, { text: "ok" }];
      const { order, last } = await play(bin, plays, { sandbox: "read-only" });
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(["a.txt", "b.txt"].filter((name) => existsSync(join(order.cwd, name)))).toEqual([]);
    });

    it.each([
      [401, "deterministic", "auth"],
      [429, "transient", "rate_limit"],
      [500, "transient", "overloaded"],
      [400, "deterministic", "model_refused"],
    ] as const)("answered with %i fails: %s, %s", async (http, kind, code) => {
      const { last, survivors } = await play(bin, [{ http }]);
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: kind, code } });
      expect(survivors).toEqual([]);
    });

    it("cut off in the middle of an answer fails and may be tried again", async () => {
      const { last } = await play(bin, [{ cut: true }]);
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "connection" } });
    });

    it("with a model that never answers is stopped when its time is over", async () => {
      const { last, asked, survivors } = await play(bin, [{ hang: true }], { limits: { wallMs: 2_500 } });
      expect(asked).toHaveLength(1);
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "agent_timeout" } });
      expect(survivors).toEqual([]);
    });

    it("is canceled in the middle of a command and leaves nobody behind", async () => {
      const { driver } = codex(bin, [{ shell: "setsid sleep 300" }]);
      const order = orderIn(root);
      const canceled = new AbortController();
      const events: AgentEvent[] = [];
      for await (const event of driver.dispatch(order, processes, canceled.signal)) {
        events.push(event);
        if (event.type === "tool.used") canceled.abort();
      }
      expect(events.map(({ type }) => type)).toContain("tool.used");
      expect(events.at(-1)).toMatchObject({ type: "turn.failed", failure: { class: "canceled" } });
      expect(carriers(order.effect)).toEqual([]);
    });
  });
}

function textOf(event: AgentEvent | undefined): string {
  return event?.type === "turn.finished" ? event.text : "";
}
