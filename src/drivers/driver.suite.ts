import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { AgentEvent, DispatchOrder, Driver } from "../core/ports/driver.ts";
import type { ProcessLimits } from "../core/ports/processes.ts";
import { carriers } from "../processes/cookie.ts";
import { supervisor } from "../processes/supervisor.ts";
import { testWorld } from "../processes/test-world.suite.ts";

/** What the driver's agent is made to do, with a fake that is a real executable. */
export type Behavior =
  | { readonly kind: "answers"; readonly text: string; readonly writes?: { path: string; content: string } }
  | { readonly kind: "answers, leaving a child in a session of its own"; readonly text: string }
  /** With everything that it was ever asked in this conversation. */
  | { readonly kind: "answers with what it was asked" }
  | { readonly kind: "leaves"; readonly code: number }
  | { readonly kind: "dies by a signal" }
  /** Ignores SIGTERM, has a child in a session of its own. */
  | { readonly kind: "hangs" }
  /** Prints for ever, as quickly as it can. */
  | { readonly kind: "floods" };

export type DriverSetup = (behavior: Behavior, limits: ProcessLimits) => Driver | Promise<Driver>;

/** Every driver passes these; a test that cannot hold for one is skipped with a reason. */
export function driverSuite(
  name: string,
  setup: DriverSetup,
  options: { readonly skip?: Readonly<Record<string, string>> } = {},
): void {
  const root = mkdtempSync(join(tmpdir(), "signalbox-driver-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const processes = supervisor({ world: testWorld, graceMs: 100 });

  const test = (title: string, body: () => Promise<void>) => {
    const reason = options.skip?.[title];
    if (reason === undefined) it(title, body);
    else it.skip(`${title} (${reason})`, body);
  };
  const play = async (behavior: Behavior, limits: ProcessLimits = {}, signal = new AbortController().signal) => {
    const driver = await setup(behavior, limits);
    const order = orderIn(root);
    const events = await all(driver.dispatch(order, processes, signal));
    return { driver, order, events, last: events.at(-1), survivors: carriers(order.effect) };
  };

  describe(`the ${name} driver`, () => {
    test("lets the agent write files in its folder", async () => {
      const { order, last } = await play({ kind: "answers", text: "ok", writes: { path: "a.txt", content: "hello" } });
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(readFileSync(join(order.cwd, "a.txt"), "utf8")).toBe("hello");
    });

    test("gives back the final message as it is", async () => {
      const text = 'A line.\n\n```json\n{"nonce":"n0nce","contract":{"ok":true,"odd":"\u2028 ü \\" $HOME"}}\n```';
      const { last } = await play({ kind: "answers", text });
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(last?.type === "turn.finished" && last.text.trim()).toBe(text);
    });

    test("starts with one turn.started and ends with exactly one final event", async () => {
      for (const behavior of [
        { kind: "answers", text: "ok" },
        { kind: "leaves", code: 3 },
      ] as const) {
        const { events } = await play(behavior);
        expect(events[0]?.type).toBe("turn.started");
        expect(events.filter(isFinal)).toEqual([events.at(-1)]);
      }
    });

    test("reports another exit code than 0 as a failed turn", async () => {
      const { last } = await play({ kind: "leaves", code: 3 });
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient" } });
    });

    test("reports a death by signal as a transient failure", async () => {
      const { last } = await play({ kind: "dies by a signal" });
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "agent_killed" } });
    });

    test("stops an agent whose time is over and leaves nobody behind", async () => {
      const { last, survivors } = await play({ kind: "hangs" }, { wallMs: 700 });
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "agent_timeout" } });
      expect(survivors).toEqual([]);
    });

    test("stops an agent that says nothing", async () => {
      const { last, survivors } = await play({ kind: "hangs" }, { silenceMs: 700 });
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "agent_silent" } });
      expect(survivors).toEqual([]);
    });

    test("stops an agent that prints without end", async () => {
      const { last, survivors } = await play({ kind: "floods" }, { outputBytes: 2 * 1024 * 1024 });
      expect(last).toMatchObject({ type: "turn.failed", failure: { code: "agent_flooded" } });
      expect(survivors).toEqual([]);
    });

    test("ends what a finished agent has left running", async () => {
      const { last, survivors } = await play({ kind: "answers, leaving a child in a session of its own", text: "ok" });
      expect(last).toMatchObject({ type: "turn.finished" });
      expect(survivors).toEqual([]);
    });

    test("is canceled by the signal and leaves nobody behind", async () => {
      const driver = await setup({ kind: "hangs" }, {});
      const order = orderIn(root);
      const controller = new AbortController();
      const events: AgentEvent[] = [];
      for await (const event of driver.dispatch(order, processes, controller.signal)) {
        events.push(event);
        if (event.type === "turn.started") controller.abort();
      }
      expect(events.at(-1)).toMatchObject({ type: "turn.failed", failure: { class: "canceled" } });
      expect(events.filter(isFinal)).toHaveLength(1);
      expect(carriers(order.effect)).toEqual([]);
    });

    test("starts nothing when it is canceled before", async () => {
      const { order, events } = await play({ kind: "answers", text: "ok" }, {}, AbortSignal.abort());
      expect(events).toMatchObject([{ type: "turn.failed", failure: { class: "canceled" } }]);
      expect(existsSync(join(order.spool, "stdout"))).toBe(false);
    });

    test("ends the agent when nobody listens any more", async () => {
      const driver = await setup({ kind: "hangs" }, {});
      const order = orderIn(root);
      for await (const event of driver.dispatch(order, processes, new AbortController().signal)) {
        if (event.type === "turn.started") break;
      }
      expect(carriers(order.effect)).toEqual([]);
    });

    test("reports a folder that is not there as a failed turn", async () => {
      const driver = await setup({ kind: "answers", text: "ok" }, {});
      const order = { ...orderIn(root), cwd: join(root, "not-there") };
      const events = await all(driver.dispatch(order, processes, new AbortController().signal));
      expect(events.filter(isFinal)).toMatchObject([{ type: "turn.failed", failure: { code: "agent_not_started" } }]);
    });

    test("[A-17] adopts the complete output of an attempt whose engine is gone", async () => {
      const { driver, order } = await abandon(setup, { kind: "answers", text: "adopted" }, orderIn(root));
      // Not when the file is there: its one line is written a moment later.
      await until(
        () => existsSync(join(order.spool, "exit")) && readFileSync(join(order.spool, "exit"), "utf8") !== "",
      );
      const event = await driver.adopt(order, supervisor({ world: testWorld }));
      expect(event).toMatchObject({ type: "turn.finished" });
      expect(event?.type === "turn.finished" && event.text.trim()).toBe("adopted");
    });

    test("[A-17] adopts nothing from an attempt that still runs, and ends it", async () => {
      const { driver, order } = await abandon(setup, { kind: "hangs" }, orderIn(root));
      expect(await driver.adopt(order, supervisor({ world: testWorld }))).toBeUndefined();
      expect(carriers(order.effect)).toEqual([]);
    });

    test("goes on with a conversation where it says that it can", async () => {
      const driver = await setup({ kind: "answers with what it was asked" }, {});
      const order = orderIn(root, { prompt: "First." });
      const first = (await all(driver.dispatch(order, processes, new AbortController().signal))).at(-1);
      const session = first?.type === "turn.finished" ? first.session : undefined;
      expect(session !== undefined).toBe(driver.can.resume);
      if (session === undefined) return;
      const repair = { ...order, session, prompt: "Second.", spool: join(order.spool, "repair") };
      const second = (await all(driver.dispatch(repair, processes, new AbortController().signal))).at(-1);
      expect(second).toMatchObject({ type: "turn.finished" });
      const text = second?.type === "turn.finished" ? second.text : "";
      expect(text.indexOf("First.")).toBeGreaterThan(-1);
      expect(text.indexOf("Second.")).toBeGreaterThan(text.indexOf("First."));
      // Also after the engine that asked for the repair is gone.
      expect(await driver.adopt(repair, processes)).toMatchObject({ type: "turn.finished", text });
    });

    test("[A-17] tells the conversation of an attempt that was cut off, where it can go on with one", async () => {
      const { driver, order } = await abandon(setup, { kind: "hangs" }, orderIn(root));
      const later = supervisor({ world: testWorld });
      if (driver.can.resume) await until(async () => (await driver.session?.(order, later)) !== undefined);
      expect(await driver.adopt(order, later)).toBeUndefined();
      const session = await driver.session?.(order, later);
      expect(session !== undefined).toBe(driver.can.resume);
    });

    test("adopts nothing where nothing was started", async () => {
      const driver = await setup({ kind: "answers", text: "ok" }, {});
      const order = orderIn(root);
      expect(await driver.adopt(order, processes)).toBeUndefined();
      expect(await driver.session?.(order, processes)).toBeUndefined();
    });
  });
}

/** An order with folders of its own. */
export function orderIn(root: string, more: Partial<DispatchOrder> = {}): DispatchOrder {
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

export async function all(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function isFinal(event: AgentEvent): boolean {
  return event.type === "turn.finished" || event.type === "turn.failed";
}

/** Takes the first event and never asks again: for the attempt it is as if the engine had died. */
async function abandon(setup: DriverSetup, behavior: Behavior, order: DispatchOrder) {
  const driver = await setup(behavior, {});
  const events = driver.dispatch(order, supervisor({ world: testWorld }), new AbortController().signal);
  await events[Symbol.asyncIterator]().next();
  return { driver, order };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await testWorld.sleep(5);
}
