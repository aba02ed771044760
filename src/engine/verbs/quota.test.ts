import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../test/support/pipe.ts";
import { done, quickWorld, type Stage, type StageOptions, stage, world } from "../../../test/support/stage.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { once } from "../../core/authoring/retry.ts";
import { defineRole } from "../../core/authoring/role.ts";
import type { QuotaPolicy } from "../../core/budget/quota.ts";
import type { AttemptRequest, AttemptResult } from "../../core/journal/effect.ts";

const worker = defineRole({ name: "worker", does: "works", contract: z.object({ ok: z.boolean() }) });
const HOUR_MS = 3_600_000;

const pipeline = pipe(async ({ phase, agent }) => {
  phase("1 Work");
  const { retried = [] } = await agent(worker, {});
  return { status: "done", reason: `${retried.length} retries` };
});

type Refusal = { readonly inMs?: number; readonly instead?: string };

const usedUp = ({ inMs, instead }: Refusal = {}): AttemptResult => ({
  outcome: "failed",
  failure: {
    class: "deterministic",
    code: "quota",
    message: "usage limit reached",
    ...(inMs === undefined ? {} : { wakeAt: Date.now() + inMs }),
  },
  ms: 1,
  ...(instead === undefined ? {} : { instead }),
});

type Scene = Partial<StageOptions> & {
  readonly policy: QuotaPolicy;
  /** What each attempt comes to; after the last of them the agent answers. */
  readonly refusals: readonly AttemptResult[];
};

async function scene({ policy, refusals, ...options }: Scene): Promise<{ s: Stage; asked: AttemptRequest[] }> {
  const asked: AttemptRequest[] = [];
  const perform = world((request) => {
    asked.push(request);
    return refusals[asked.length - 1] ?? done({ ok: true });
  });
  const s = await stage({ pipeline, perform, ...options, parts: { usageWindow: policy, ...options.parts } });
  return { s, asked };
}

const only = async <T extends string>(s: Stage, type: T) =>
  (await s.records()).filter((record) => record.type === type);

test("a dispatch waits until the usage window opens, and no retry is spent on it", async () => {
  const slept: number[] = [];
  const quick = quickWorld();
  const sleep = (ms: number, signal?: AbortSignal) => {
    slept.push(ms);
    return quick.sleep(ms, signal);
  };
  const clock = { ...quick, sleep };
  const { s, asked } = await scene({ policy: "wait", refusals: [usedUp({ inMs: HOUR_MS })], world: clock });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(asked).toHaveLength(2);
  const [retried] = await only(s, "agent.retried");
  expect(retried).toMatchObject({ attempt: 2, because: { code: "quota" } });
  const waitMs = retried && "waitMs" in retried ? retried.waitMs : 0;
  expect(waitMs).toBeGreaterThan(HOUR_MS - 60_000);
  expect(slept).toContain(waitMs);
  expect(await only(s, "run.finished")).toMatchObject([{ reason: "0 retries" }]);
});

test("a time that has come and was wrong is not believed again at once", async () => {
  const { s } = await scene({ policy: "wait", refusals: [usedUp({ inMs: 5 }), usedUp({ inMs: 5 })] });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  const [first, second] = await only(s, "agent.retried");
  expect(first && "waitMs" in first && first.waitMs).toBeLessThan(1_000);
  expect(second).toMatchObject({ waitMs: 60_000 });
});

test("whoever is named plays instead, and the next dispatch begins with the first choice again", async () => {
  const { s, asked } = await scene({
    policy: "switch",
    refusals: [usedUp({ inMs: HOUR_MS, instead: "codex" }), usedUp({ inMs: 2 * HOUR_MS, instead: "goose" })],
  });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(asked.map(({ instead = 0 }) => instead)).toEqual([0, 1, 2]);
  expect(await only(s, "agent.retried")).toMatchObject([
    { waitMs: 0, instead: 1 },
    { waitMs: 0, instead: 2 },
  ]);
});

test("when all who are named are refused, the first window that opens is waited for", async () => {
  const refusals = [usedUp({ inMs: 3 * HOUR_MS, instead: "codex" }), usedUp({ inMs: HOUR_MS })];
  const { s, asked } = await scene({ policy: "switch", refusals });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(asked.map(({ instead = 0 }) => instead)).toEqual([0, 1, 0]);
  const last = (await only(s, "agent.retried")).at(-1);
  expect(last && "waitMs" in last && last.waitMs).toBeLessThanOrEqual(HOUR_MS);
});

test("a retry of the pipeline's stays with who plays instead", async () => {
  const crash: AttemptResult = { outcome: "failed", failure: { class: "transient", code: "x", message: "x" }, ms: 1 };
  const retrying = definePipeline({ ...pipeline, retry: once() }, pipeline.body as never);
  const refusals = [usedUp({ instead: "codex" }), crash];
  const { s, asked } = await scene({ policy: "switch", refusals, pipeline: retrying });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(asked.map(({ instead = 0 }) => instead)).toEqual([0, 1, 1]);
  expect(await only(s, "run.finished")).toMatchObject([{ reason: "1 retries" }]);
});

test("a window of which nobody knows when it opens suspends the run with 5, and `resume` tries again", async () => {
  const { s, asked } = await scene({ policy: "wait", refusals: [usedUp(), usedUp()] });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
  expect(asked).toHaveLength(1);
  await s.post({ kind: "resume", by: "eve" });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
  expect(asked).toHaveLength(2);
  await s.post({ kind: "resume", by: "eve" });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("a window that opens after the run's time is over suspends at once", async () => {
  const order = { limits: { timeMs: 10 * 60_000 } };
  const { s } = await scene({ policy: "wait", refusals: [usedUp({ inMs: HOUR_MS })], order });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
});

test("a window that is said to open in a year is not waited for", async () => {
  const { s } = await scene({ policy: "wait", refusals: [usedUp({ inMs: 365 * 24 * HOUR_MS })] });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
});

test("a policy to stop does not wait for a window that is known to open", async () => {
  const { s } = await scene({ policy: "stop", refusals: [usedUp({ inMs: 1, instead: "codex" })] });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
  expect(await only(s, "run.suspended")).toMatchObject([{ reason: expect.stringContaining("worker is used up") }]);
});

test("a person is asked what is to be done, and only what can be done is offered", async () => {
  const order = { approvals: "interactive" } as const;
  const refusals = [usedUp({ inMs: HOUR_MS, instead: "codex" }), usedUp()];
  const { s, asked } = await scene({ policy: "ask", refusals, order });
  expect(await s.drive()).toEqual({ status: "waiting", exit: 3 });
  const [first] = await only(s, "approval.requested");
  if (first?.type !== "approval.requested") throw new Error("nothing was asked");
  expect(first.choices).toEqual(["wait", "switch", "again"]);
  await s.post({ kind: "answer", approval: first.approval, hash: first.hash, choice: "switch", by: "eve" });
  expect(await s.drive()).toEqual({ status: "waiting", exit: 3 });
  expect(asked.map(({ instead = 0 }) => instead)).toEqual([0, 1]);
  const second = (await only(s, "approval.requested")).at(-1);
  if (second?.type !== "approval.requested") throw new Error("nothing was asked");
  expect(second.choices).toEqual(["again"]);
  await s.post({ kind: "answer", approval: second.approval, hash: second.hash, choice: "again", by: "eve" });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  // Only the try that the person asked for is one whatever is known of the window.
  expect(asked.map(({ anew = false }) => anew)).toEqual([false, false, true]);
});

test("an engine that dies while it waits leaves the rest of the wait to the next", async () => {
  const { s, asked } = await scene({ policy: "wait", refusals: [usedUp({ inMs: HOUR_MS })] });
  const gone = new AbortController();
  const slow = await s.again({ world: { ...quickWorld(), sleep: (_ms, signal) => untilAborted(signal, gone) } });
  expect(await slow.drive(gone.signal)).toMatchObject({ status: "interrupted" });
  expect(asked).toHaveLength(1);
  const next = await s.again({});
  expect(await next.drive()).toEqual({ status: "done", exit: 0 });
  expect(asked).toHaveLength(2);
  expect(await only(s, "agent.retried")).toHaveLength(1);
});

/** The first who sleeps is the dispatch that waits: the engine is told to stop then. */
function untilAborted(signal: AbortSignal | undefined, gone: AbortController): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener("abort", () => resolve(), { once: true });
    setImmediate(() => gone.abort());
  });
}
