import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent, DispatchOrder, Driver } from "../../../core/ports/driver.ts";
import type { Processes } from "../../../core/ports/processes.ts";
import { runTurns } from "./turns-with-repair.ts";

const finished = (text: string, usd = 1): AgentEvent => ({
  type: "turn.finished",
  text,
  session: "s-1",
  usage: { usd },
});
const lost: AgentEvent = {
  type: "turn.failed",
  failure: { class: "transient", code: "agent_throttled", message: "busy" },
  usage: { usd: 1 },
};

test("an answer that can be used is asked for once", async () => {
  const { last, repairs, orders } = await talk([finished("good")]);
  expect({ last, repairs, turns: orders.length }).toEqual({ last: finished("good"), repairs: 0, turns: 1 });
});

test("an answer that cannot be read is mended in the same conversation, and all its turns are paid for", async () => {
  const { last, repairs, orders } = await talk([finished("bad"), finished("good", 2)]);
  expect({ last, repairs }).toEqual({ last: finished("good", 3), repairs: 1 });
  expect(orders[1]).toMatchObject({ session: "s-1", prompt: expect.stringContaining("it is bad") });
  expect(orders[1]?.spool).not.toBe(orders[0]?.spool);
});

test("after two repairs the last answer stands, readable or not", async () => {
  const { last, repairs, orders } = await talk([finished("bad"), finished("bad"), finished("bad"), finished("good")]);
  expect({ text: last?.type === "turn.finished" && last.text, repairs }).toEqual({ text: "bad", repairs: 2 });
  expect(orders).toHaveLength(3);
});

test("a repair that fails leaves the answer that there was", async () => {
  const { last, repairs } = await talk([finished("bad"), lost]);
  expect({ last, repairs }).toEqual({ last: finished("bad", 2), repairs: 1 });
});

test("a driver without resume is not asked to continue, and a failed turn is not repaired", async () => {
  expect((await talk([finished("bad"), finished("good")], {})).repairs).toBe(0);
  expect((await talk([lost, finished("good")])).last).toEqual(lost);
});

test("a driver without conversations is asked again in the same folder, told everything and what was wrong", async () => {
  const { last, repairs, orders } = await talk([finished("bad"), finished("good", 2)], { again: true });
  expect({ last, repairs }).toEqual({ last: finished("good", 3), repairs: 1 });
  expect(orders[1]).toMatchObject({
    prompt: "Again: it is bad; it was bad",
    repair: { number: 1, problem: "it is bad" },
    spool: join(orders[0]?.spool ?? "", "repair-1"),
  });
  expect(orders[1]).not.toHaveProperty("session");
});

test("answers that an engine before this one has sent back count against the same two", async () => {
  const again = { ...finished("bad"), refused: 1 } as AgentEvent;
  const { orders, repairs } = await talk([again, finished("bad"), finished("good")], { again: true });
  expect({ turns: orders.length, repairs }).toEqual({ turns: 2, repairs: 2 });
});

type Repairs = { readonly resume?: true; readonly again?: true };

async function talk(turns: readonly AgentEvent[], { resume, ...again }: Repairs = { resume: true }) {
  const spool = mkdtempSync(join(tmpdir(), "signalbox-converse-"));
  onTestFinished(() => rmSync(spool, { recursive: true, force: true }));
  const orders: DispatchOrder[] = [];
  const driver: Driver = {
    name: "told",
    can: { schema: false, resume: resume === true, ...again, cost: true, permissions: false, cancel: false },
    async *dispatch(order) {
      const event = turns[orders.length];
      orders.push(order);
      if (event) yield event;
    },
    adopt: async () => undefined,
  };
  const order = { prompt: "Do it.", spool } as unknown as DispatchOrder; // all that a driver of ours looks at
  const signal = new AbortController().signal;
  const unusable = (text: string) => (text === "bad" ? "it is bad" : undefined);
  // No process is ever started by this driver.
  const mending = ({ problem, said }: { problem: string; said: string }) => `Again: ${problem}; it was ${said}`;
  const talked = await runTurns({ driver, order, processes: {} as Processes, signal, unusable, mending });
  return { ...talked, orders };
}
