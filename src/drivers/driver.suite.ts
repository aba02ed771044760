import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEvent, DispatchOrder, Driver } from "../core/ports/driver.ts";
import type { ProcessLimits } from "../core/ports/processes.ts";
import { createSupervisor } from "../processes/supervisor.ts";
import { listCarriers } from "../processes/tag/process-tag.ts";
import { testWorld } from "../processes/test-world.suite.ts";

/** The behavior that a fake executable shows to the driver. */
export type Behavior =
  | { readonly kind: "answers"; readonly text: string; readonly writes?: { path: string; content: string } }
  | { readonly kind: "answers, leaving a child in a session of its own"; readonly text: string }
  /** Answers with all prompts of the conversation. */
  | { readonly kind: "answers with what it was asked" }
  | { readonly kind: "leaves"; readonly code: number }
  | { readonly kind: "dies by a signal" }
  /** Ignores SIGTERM and has a child in its own session. */
  | { readonly kind: "hangs" }
  /** Prints endlessly, as fast as it can. */
  | { readonly kind: "floods" };

export type DriverSetup = (behavior: Behavior, limits: ProcessLimits) => Driver | Promise<Driver>;

type Declare = (title: string, body: () => Promise<void>) => unknown;

/** The two functions that `node:test`, Vitest and others share, and the cases to skip. */
export type SuiteOptions = {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly it: Declare & { readonly skip: Declare };
  /** Title of a case → why it cannot hold for this driver. */
  readonly skip?: Readonly<Record<string, string>>;
};

/** The contract of every driver. A case that cannot hold for one is skipped with a reason. */
export function driverSuite(name: string, setup: DriverSetup, { describe, it, skip = {} }: SuiteOptions): void {
  const sceneIn = (root: string) => ({
    root,
    play: async (behavior: Behavior, limits: ProcessLimits = {}, signal?: AbortSignal) =>
      playDriver(root, await setup(behavior, limits), signal),
  });
  const test = (title: string, body: (scene: ReturnType<typeof sceneIn>) => Promise<void>) => {
    const run = () => inFolder((root) => body(sceneIn(root)));
    const reason = skip[title];
    if (reason === undefined) it(title, run);
    else it.skip(`${title} (${reason})`, run);
  };

  describe(`the ${name} driver`, () => {
    test("lets the agent write files in its folder", async ({ play }) => {
      const { order, last } = await play({ kind: "answers", text: "ok", writes: { path: "a.txt", content: "hello" } });
      assert.partialDeepStrictEqual(last, { type: "turn.finished" });
      assert.equal(readFileSync(join(order.cwd, "a.txt"), "utf8"), "hello");
    });

    test("returns the final message unchanged", async ({ play }) => {
      const text = 'A line.\n\n```json\n{"nonce":"n0nce","contract":{"ok":true,"odd":"\u2028 ü \\" $HOME"}}\n```';
      const { last } = await play({ kind: "answers", text });
      assert.partialDeepStrictEqual(last, { type: "turn.finished" });
      assert.equal(last?.type === "turn.finished" && last.text.trim(), text);
    });

    test("starts with one turn.started and ends with exactly one final event", async ({ play }) => {
      for (const behavior of [
        { kind: "answers", text: "ok" },
        { kind: "leaves", code: 3 },
      ] as const) {
        const { events } = await play(behavior);
        assert.equal(events[0]?.type, "turn.started");
        assert.deepEqual(events.filter(isFinal), [events.at(-1)]);
      }
    });

    test("reports a nonzero exit code as a failed turn", async ({ play }) => {
      const { last } = await play({ kind: "leaves", code: 3 });
      assert.partialDeepStrictEqual(last, { type: "turn.failed", failure: { class: "transient" } });
    });

    test("reports a death by signal as a transient failure", async ({ play }) => {
      const { last } = await play({ kind: "dies by a signal" });
      assert.partialDeepStrictEqual(last, {
        type: "turn.failed",
        failure: { class: "transient", code: "agent_killed" },
      });
    });

    test("stops an agent at its time limit and leaves no process behind", async ({ play }) => {
      const { last, survivors } = await play({ kind: "hangs" }, { wallMs: 700 });
      assert.partialDeepStrictEqual(last, {
        type: "turn.failed",
        failure: { class: "transient", code: "agent_timeout" },
      });
      assert.deepEqual(survivors, []);
    });

    test("stops a silent agent", async ({ play }) => {
      const { last, survivors } = await play({ kind: "hangs" }, { silenceMs: 700 });
      assert.partialDeepStrictEqual(last, {
        type: "turn.failed",
        failure: { class: "transient", code: "agent_silent" },
      });
      assert.deepEqual(survivors, []);
    });

    test("stops an agent that prints endlessly", async ({ play }) => {
      const { last, survivors } = await play({ kind: "floods" }, { outputBytes: 2 * 1024 * 1024 });
      assert.partialDeepStrictEqual(last, { type: "turn.failed", failure: { code: "agent_flooded" } });
      assert.deepEqual(survivors, []);
    });

    test("ends the processes that a finished agent left running", async ({ play }) => {
      const { last, survivors } = await play({ kind: "answers, leaving a child in a session of its own", text: "ok" });
      assert.partialDeepStrictEqual(last, { type: "turn.finished" });
      assert.deepEqual(survivors, []);
    });

    test("is canceled by the signal and leaves no process behind", async ({ root }) => {
      const driver = await setup({ kind: "hangs" }, {});
      const order = createOrder(root);
      const controller = new AbortController();
      const events: AgentEvent[] = [];
      for await (const event of driver.dispatch(order, processes, controller.signal)) {
        events.push(event);
        if (event.type === "turn.started") controller.abort();
      }
      assert.partialDeepStrictEqual(events.at(-1), { type: "turn.failed", failure: { class: "canceled" } });
      assert.equal(events.filter(isFinal).length, 1);
      assert.deepEqual(listCarriers(order.effect), []);
    });

    test("starts nothing if it is canceled before", async ({ play }) => {
      const { order, events } = await play({ kind: "answers", text: "ok" }, {}, AbortSignal.abort());
      assert.equal(events.length, 1);
      assert.partialDeepStrictEqual(events[0], { type: "turn.failed", failure: { class: "canceled" } });
      assert.equal(existsSync(join(order.spool, "stdout")), false);
    });

    test("ends the agent when the consumer stops reading", async ({ root }) => {
      const driver = await setup({ kind: "hangs" }, {});
      const order = createOrder(root);
      for await (const event of driver.dispatch(order, processes, new AbortController().signal)) {
        if (event.type === "turn.started") break;
      }
      assert.deepEqual(listCarriers(order.effect), []);
    });

    test("reports a missing folder as a failed turn", async ({ root }) => {
      const driver = await setup({ kind: "answers", text: "ok" }, {});
      const order = { ...createOrder(root), cwd: join(root, "not-there") };
      const events = await collectEvents(driver.dispatch(order, processes, new AbortController().signal));
      assert.equal(events.filter(isFinal).length, 1);
      assert.partialDeepStrictEqual(events.at(-1), { type: "turn.failed", failure: { code: "agent_not_started" } });
    });

    test("[A-17] adopts the complete output of an attempt whose engine is gone", async ({ root }) => {
      const { driver, order } = await abandon(setup, { kind: "answers", text: "adopted" }, createOrder(root));
      // Waits for content, not for the file: its line is written a moment later.
      await until(
        () => existsSync(join(order.spool, "exit")) && readFileSync(join(order.spool, "exit"), "utf8") !== "",
      );
      const event = await driver.adopt(order, createSupervisor({ world: testWorld }));
      assert.partialDeepStrictEqual(event, { type: "turn.finished" });
      assert.equal(event?.type === "turn.finished" && event.text.trim(), "adopted");
    });

    test("[A-17] adopts nothing from an attempt that still runs, and ends it", async ({ root }) => {
      const { driver, order } = await abandon(setup, { kind: "hangs" }, createOrder(root));
      assert.equal(await driver.adopt(order, createSupervisor({ world: testWorld })), undefined);
      assert.deepEqual(listCarriers(order.effect), []);
    });

    test("resumes a conversation if it reports that it can", async ({ root }) => {
      const driver = await setup({ kind: "answers with what it was asked" }, {});
      const order = createOrder(root, { prompt: "First." });
      const first = (await collectEvents(driver.dispatch(order, processes, new AbortController().signal))).at(-1);
      const session = first?.type === "turn.finished" ? first.session : undefined;
      assert.equal(session !== undefined, driver.can.resume);
      if (session === undefined) return;
      const repair = { ...order, session, prompt: "Second.", spool: join(order.spool, "repair") };
      const second = (await collectEvents(driver.dispatch(repair, processes, new AbortController().signal))).at(-1);
      assert.partialDeepStrictEqual(second, { type: "turn.finished" });
      const text = second?.type === "turn.finished" ? second.text : "";
      assert.match(text, /First\..*Second\./s);
      // Also after the engine that requested the repair is gone.
      assert.partialDeepStrictEqual(await driver.adopt(repair, processes), { type: "turn.finished", text });
    });

    test("[A-17] returns the session of an interrupted attempt, if it can resume one", async ({ root }) => {
      const { driver, order } = await abandon(setup, { kind: "hangs" }, createOrder(root));
      const later = createSupervisor({ world: testWorld });
      if (driver.can.resume) await until(async () => (await driver.session?.(order, later)) !== undefined);
      assert.equal(await driver.adopt(order, later), undefined);
      const session = await driver.session?.(order, later);
      assert.equal(session !== undefined, driver.can.resume);
    });

    test("adopts nothing if nothing was started", async ({ root }) => {
      const driver = await setup({ kind: "answers", text: "ok" }, {});
      const order = createOrder(root);
      assert.equal(await driver.adopt(order, processes), undefined);
      assert.equal(await driver.session?.(order, processes), undefined);
    });
  });
}

const processes = createSupervisor({ world: testWorld, graceMs: 100 });

async function inFolder<T>(use: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), "signalbox-driver-"));
  try {
    return await use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function playDriver(root: string, driver: Driver, signal = new AbortController().signal) {
  const order = createOrder(root);
  const events = await collectEvents(driver.dispatch(order, processes, signal));
  return { order, events, last: events.at(-1), survivors: listCarriers(order.effect) };
}

/** Runs one dispatch under the real supervisor, in folders that are removed afterwards. */
export async function playOnce(driver: Driver): Promise<readonly AgentEvent[]> {
  return inFolder(async (root) => (await playDriver(root, driver)).events);
}

/** Creates an order with its own folders. */
export function createOrder(root: string, more: Partial<DispatchOrder> = {}): DispatchOrder {
  const id = testWorld.newId();
  const folder = (name: string) => join(root, id, name);
  mkdirSync(folder("cwd"), { recursive: true });
  return {
    effect: `r-${id}/3 Design/designer@1`,
    run: `r-${id}`,
    pipeline: "roadmap",
    phase: "3 Design",
    role: "designer",
    instance: "designer",
    task: "t-1",
    round: 1,
    attempt: 1,
    dialect: "json",
    nonce: "n0nce",
    prompt: "Design it.",
    cwd: folder("cwd"),
    home: folder("home"),
    spool: folder("spool"),
    ...more,
  };
}

export async function collectEvents(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function isFinal(event: AgentEvent): boolean {
  return event.type === "turn.finished" || event.type === "turn.failed";
}

/** Reads the first event and stops, which looks to the attempt as if the engine had died. */
async function abandon(setup: DriverSetup, behavior: Behavior, order: DispatchOrder) {
  const driver = await setup(behavior, {});
  const events = driver.dispatch(order, createSupervisor({ world: testWorld }), new AbortController().signal);
  await events[Symbol.asyncIterator]().next();
  return { driver, order };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await testWorld.sleep(5);
}
