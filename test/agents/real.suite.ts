import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readContract } from "../../src/core/contract/read.ts";
import { writeContract } from "../../src/core/contract/write.ts";
import type { AgentEvent, Driver } from "../../src/core/ports/driver.ts";
import type { ProcessLimits } from "../../src/core/ports/processes.ts";
import { type Behavior, collectEvents, createOrder, driverSuite } from "../../src/drivers/driver.suite.ts";
import { runTurns } from "../../src/engine/execute/attempt/turns-with-repair.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { listCarriers } from "../../src/processes/tag/process-tag.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import type { Play } from "../model/play.ts";
import { type ModelServer, modelServer } from "../model/server.ts";
import { type AgentPackage, installAgent } from "./install.ts";

export type Plays = readonly [Play, ...Play[]];

export type RealAgent = {
  readonly name: string;
  readonly package: AgentPackage;
  /** Creates a driver for the program at `bin` with the model at this address. */
  driver(bin: string, url: string, limits: ProcessLimits): Driver;
  /** Cases of the driver suite that cannot hold for it, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
  /** The tokens of a turn of two requests; a program may count only the last. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  /** Time until the first model request on a busy machine. */
  readonly startMs?: number;
};

/** Inputs of tests for one program. */
export type Stage = {
  readonly bin: string;
  readonly root: () => string;
  readonly model: () => ModelServer;
  play(plays: Plays, make?: (url: string) => Driver): ReturnType<typeof collectTurn>;
};

/** Runs the same cases for every real program: a scripted model, then assertions on the disk and the events. */
export async function realAgentSuite(agent: RealAgent, own?: (stage: Stage) => void): Promise<void> {
  const installed = await installAgent(agent.package);
  if ("missing" in installed) {
    describe.skip(`the real ${agent.name} (${installed.missing})`, () => {
      it("writes the file and returns the contract", () => expect.unreachable());
    });
    return;
  }
  let model: ModelServer;
  let root: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), `signalbox-real-${agent.name}-`));
    model = await modelServer();
  });
  afterAll(async () => {
    await model.close();
    rmSync(root, { recursive: true, force: true });
  });
  const { bin } = installed;
  const driver = (plays: Plays, limits: ProcessLimits = {}) => {
    const script = testWorld.newId();
    return { script, driver: agent.driver(bin, model.play(script, ...plays), limits) };
  };
  driverSuite(`real ${agent.name}`, (behavior, limits) => driver(createPlays(behavior), limits).driver, {
    describe,
    it,
    skip: { ...CANNOT, ...agent.skip },
  });
  const stage: Stage = {
    bin,
    root: () => root,
    model: () => model,
    play: (plays, make) => {
      const script = testWorld.newId();
      const url = model.play(script, ...plays);
      return collectTurn(make?.(url) ?? agent.driver(bin, url, {}), {
        root,
        asked: () => model.requests(script).length,
      });
    },
  };
  addCommonCases(agent, stage);
  own?.(stage);
}

const CANNOT = {
  "stops an agent that prints endlessly": "no model can make it",
  "reports a death by signal as a transient failure": "no model can make it",
};
const processes = createSupervisor({ world: testWorld });

async function collectTurn(driver: Driver, { root, asked }: { readonly root: string; readonly asked: () => number }) {
  const order = createOrder(root);
  const events = await collectEvents(driver.dispatch(order, processes, new AbortController().signal));
  return { order, events, last: events.at(-1), asked: asked(), survivors: listCarriers(order.effect) };
}

function addCommonCases(agent: RealAgent, { bin, root, model, play }: Stage): void {
  const can = agent.driver(bin, "http://127.0.0.1/v1", {}).can;
  const itResumes = (title: string, body: () => Promise<void>) =>
    can.resume ? it(title, body) : it.skip(`${title} (it cannot go on with a conversation)`, body);

  describe(`the real ${agent.name} on a scripted model`, () => {
    it("writes the file and returns the contract", async () => {
      const value = { verdict: "approve" };
      const text = `I wrote it.\n\n${writeContract({ dialect: "json", value, nonce: "n0nce" })}`;
      const { order, last, events } = await play([{ write: { path: "a.js", content: "1;\n" } }, { text }]);
      expect(readFileSync(join(order.cwd, "a.js"), "utf8")).toBe("1;\n");
      expect(events.map(({ type }) => type)).toContain("tool.used");
      expect(last).toMatchObject({ type: "turn.finished", usage: agent.usage });
      const schema = z.object({ verdict: z.enum(["approve", "reject"]) });
      const reading = readContract({ dialect: "json", text: textOf(last), nonce: order.nonce, schema });
      expect(reading).toEqual({ ok: true, value });
    });

    it("is asked with the prompt of the dispatch", async () => {
      const { last } = await play([{ text: (prompt) => `You said: ${prompt}` }]);
      expect(textOf(last)).toContain("You said:");
      expect(textOf(last)).toContain("Design it.");
    });

    it("runs commands that carry the cookie", async () => {
      const { order, last } = await play([{ shell: "env > seen.txt" }, { text: "ok" }]);
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(readFileSync(join(order.cwd, "seen.txt"), "utf8")).toContain(`SIGNALBOX_COOKIE=${order.effect}\n`);
    });

    it.each([
      [401, "deterministic", "auth"],
      [429, "transient", "rate_limit"],
      [500, "transient", "overloaded"],
    ] as const)("answered with %i fails: %s, %s", async (http, kind, code) => {
      const { last, survivors } = await play([{ http }]);
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: kind, code } });
      expect(survivors).toEqual([]);
    });

    it("told to wait an hour by its model does not wait, and may be tried again", async () => {
      const { last, asked } = await play([{ http: 429, headers: { "retry-after": "3600" } }]);
      expect(asked).toBeGreaterThan(0);
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "rate_limit" } });
    });

    it("whose model fails after some work has failed", async () => {
      const { last, order } = await play([{ shell: "echo one > one.txt" }, { http: 500 }]);
      expect(readFileSync(join(order.cwd, "one.txt"), "utf8")).toBe("one\n");
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "overloaded" } });
    });

    it("cut off in the middle of an answer fails and may be tried again", async () => {
      const { last } = await play([{ cut: true }]);
      expect(last).toMatchObject({
        type: "turn.failed",
        failure: { class: "transient", code: "connection" },
      });
    });

    it("with a model that never answers is stopped when its time is over", async () => {
      const limits = { wallMs: agent.startMs ?? 5_000 };
      const { last, asked, survivors } = await play([{ hang: true }], (url) => agent.driver(bin, url, limits));
      expect(asked).toBeGreaterThan(0);
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "agent_timeout" } });
      expect(survivors).toEqual([]);
    });

    itResumes("goes on with a conversation that was cut off", async () => {
      const order = createOrder(root(), { prompt: "First." });
      const driver = agent.driver(bin, model().play("cut off", { shell: "echo half > half.txt; sleep 300" }), {});
      const events = driver.dispatch(order, processes, new AbortController().signal)[Symbol.asyncIterator]();
      await events.next();
      while (!existsSync(join(order.cwd, "half.txt"))) await testWorld.sleep(20);
      // The next engine finds the attempt still running, without a listener.
      expect(await driver.adopt(order, processes)).toBeUndefined();
      const session = (await driver.session?.(order, processes)) ?? expect.fail("no conversation is named");
      const url = model().play("goes on", { text: (_prompt, { prompts }) => prompts.join("\n") });
      // A separate attempt, as the engine counts it: ending the first one's processes must not affect it.
      const effect = `${order.effect}-next`;
      const next = { ...order, effect, session, prompt: "Second.", spool: join(order.spool, "next") };
      const last = (
        await collectEvents(agent.driver(bin, url, {}).dispatch(next, processes, new AbortController().signal))
      ).at(-1);
      expect(last, JSON.stringify(last)).toMatchObject({ type: "turn.finished", session });
      expect(textOf(last)).toMatch(/First\..*Second\./s);
    });

    itResumes("mends an answer that does not fit its schema, in the same conversation", async () => {
      const answer = (verdict: string) => writeContract({ dialect: "json", value: { verdict }, nonce: "n0nce" });
      const url = model().play("mends", { text: answer("perhaps") }, { text: answer("approve") });
      const schema = z.object({ verdict: z.enum(["approve", "reject"]) });
      const reading = (text: string) => readContract({ dialect: "json", text, nonce: "n0nce", schema });
      const { last, repairs } = await runTurns({
        driver: agent.driver(bin, url, {}),
        order: createOrder(root()),
        processes,
        signal: new AbortController().signal,
        mending: () => "",
        unusable: (text) => {
          const read = reading(text);
          return read.ok ? undefined : read.message;
        },
      });
      expect(repairs).toBe(1);
      expect(reading(textOf(last))).toEqual({ ok: true, value: { verdict: "approve" } });
      expect(model().requests("mends").at(-1)?.prompts.join("\n")).toMatch(/Design it\..*The problem .*verdict/s);
    });

    it("is canceled in the middle of a command and leaves nobody behind", async () => {
      const url = model().play("canceled", { shell: "setsid sleep 300" });
      const order = createOrder(root());
      const canceled = new AbortController();
      const events: AgentEvent[] = [];
      for await (const event of agent.driver(bin, url, {}).dispatch(order, processes, canceled.signal)) {
        events.push(event);
        if (event.type === "tool.used") canceled.abort();
      }
      expect(events.map(({ type }) => type)).toContain("tool.used");
      expect(events.at(-1)).toMatchObject({ type: "turn.failed", failure: { class: "canceled" } });
      expect(listCarriers(order.effect)).toEqual([]);
    });
  });
}

export function textOf(event: AgentEvent | undefined): string {
  return event?.type === "turn.finished" ? event.text : "";
}

/** Maps the suite's behaviors to model scripts, where a model can cause them in a real program. */
function createPlays(behavior: Behavior): Plays {
  if (behavior.kind === "leaves") return [{ http: 500 }];
  if (behavior.kind === "answers, leaving a child in a session of its own") {
    return [{ shell: "setsid sleep 300 > /dev/null 2>&1 &" }, { text: behavior.text }];
  }
  if (behavior.kind === "answers with what it was asked")
    return [{ text: (_prompt, { prompts }) => prompts.join("\n") }];
  if (behavior.kind !== "answers") return [{ hang: true }];
  const { writes, text } = behavior;
  return writes ? [{ shell: `printf %s '${writes.content}' > ${writes.path}` }, { text }] : [{ text }];
}
