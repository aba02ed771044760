import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../test/support/pipe.ts";
import {
  done,
  failed,
  onRun,
  quickWorld,
  type Stage,
  type StageOptions,
  stage,
  world,
} from "../../../test/support/stage.ts";
import { once } from "../../core/authoring/retry.ts";
import { defineRole } from "../../core/authoring/role.ts";
import type { AttemptRequest, AttemptResult } from "../../core/journal/effect.ts";
import type { JournalRecord, RecordType } from "../../core/journal/record.ts";
import { toNormalForm } from "../../core/text/normal-form.ts";
import { createMemoryHost } from "../../hosts/memory/host.ts";
import { createMemoryStore } from "../../hosts/memory/store.ts";

const worker = defineRole({ name: "worker", does: "works", contract: z.object({ ok: z.boolean() }) });

const pipeline = pipe(
  async ({ phase, agent }) => {
    phase("1 Work");
    await agent(worker, {});
    return { status: "done" };
  },
  { retry: once() },
);

const cutOff = (session?: string): AttemptResult =>
  session === undefined ? { outcome: "interrupted" } : { outcome: "interrupted", session };

const cutOffBy = (signal: AbortSignal, session: string): Promise<AttemptResult> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(cutOff(session)), { once: true }));

/** What the attempts of the one dispatch come to, in order; after that it answers. */
async function scene(results: readonly AttemptResult[], options: Partial<StageOptions> = {}) {
  const asked: AttemptRequest[] = [];
  const perform = world((request) => {
    asked.push(request);
    return results[request.attempt - 1] ?? done({ ok: true });
  });
  const s = await stage({ pipeline, perform, ...options });
  return { s, asked, continued: () => asked.map(({ continues }) => continues) };
}

const only = async <T extends RecordType>(s: Stage, type: T) =>
  (await s.records()).filter((record): record is JournalRecord<T> => record.type === type);

test("an attempt interrupted in a conversation is followed by one that resumes it", async () => {
  const { s, continued } = await scene([cutOff("s-1")]);
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(continued()).toEqual([undefined, { effect: `${s.run}/1 Work/worker@1`, session: "s-1" }]);
  expect(await only(s, "agent.finished")).toMatchObject([{ outcome: "interrupted", session: "s-1" }, {}]);
  expect(await only(s, "agent.started")).toMatchObject([{ attempt: 1 }, { attempt: 2, continues: "s-1" }]);
});

test("going on counts as an interruption like beginning again", async () => {
  const { s, asked } = await scene([cutOff("s-1"), cutOff("s-1")]);
  expect(await s.drive()).toEqual({ status: "interrupted", exit: 130 });
  expect(asked).toHaveLength(2);
});

test("an attempt after one that was cut off without a conversation, or that failed, begins from nothing", async () => {
  const lost = await scene([cutOff()]);
  expect(await lost.s.drive()).toEqual({ status: "done", exit: 0 });
  expect(lost.continued()).toEqual([undefined, undefined]);
  const crashed = await scene([cutOff("s-1"), failed()]);
  expect(await crashed.s.drive()).toEqual({ status: "done", exit: 0 });
  expect(crashed.continued()).toMatchObject([undefined, { session: "s-1" }, undefined]);
});

test("an engine that takes over a resumed attempt keeps its conversation", async () => {
  const store = createMemoryStore();
  const perform = world((request, signal) => (request.attempt === 1 ? cutOff("s-1") : cutOffBy(signal, "s-1")));
  const s = await stage({ pipeline, perform, host: createMemoryHost({ world: quickWorld(), store }) });
  // It hangs in the second attempt until it has lost the run.
  const lost = s.drive().catch((error: unknown) => error);
  while ((await only(s, "agent.started")).length < 2) await new Promise(setImmediate);
  const later = { ...quickWorld(), now: () => Date.now() + 3_600_000 };
  const found: AttemptRequest[] = [];
  const recover = world((request) => {
    found.push(request);
    return done({ ok: true });
  });
  const host = createMemoryHost({ world: later, store });
  const next = await (await onRun(host, s.run, { pipeline, world: later })).again({ recover });
  expect(await next.drive()).toEqual({ status: "done", exit: 0 });
  expect(found).toMatchObject([{ attempt: 2, continues: { effect: `${s.run}/1 Work/worker@1`, session: "s-1" } }]);
  expect(await lost).toMatchObject({ code: "FENCED" });
});

test("a conversation stopped in order is resumed without counting an interruption", async () => {
  const stop = [new AbortController(), new AbortController()];
  const asked: AttemptRequest[] = [];
  const perform = world(async (request, signal) => {
    asked.push(request);
    const now = stop[request.attempt - 1];
    if (!now) return done({ ok: true });
    setImmediate(() => now.abort());
    return cutOffBy(signal, `s-${request.attempt}`);
  });
  const s = await stage({ pipeline, perform });
  for (const each of stop) expect(await s.drive(each.signal)).toEqual({ status: "interrupted", exit: 130 });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(asked.map(({ continues }) => continues?.session)).toEqual([undefined, "s-1", "s-2"]);
  expect(await only(s, "agent.finished")).toMatchObject([{ session: "s-1", orderly: true }, { session: "s-2" }, {}]);
});

test("a run that was cut off has the same normal form as an undisturbed one", async () => {
  const undisturbed = await scene([]);
  const disturbed = await scene([cutOff("s-1")]);
  await Promise.all([undisturbed.s.drive(), disturbed.s.drive()]);
  expect(toNormalForm(await disturbed.s.records())).toEqual(toNormalForm(await undisturbed.s.records()));
});

test("a run is tidied up when it has ended, and not before", async () => {
  const tidied: string[] = [];
  const stop = new AbortController();
  const perform = async (effect: { readonly request: unknown }, signal: AbortSignal) => {
    const { attempt } = effect.request as AttemptRequest; // nothing else is asked of this pipeline
    if (attempt > 1) return done({ ok: true });
    setImmediate(() => stop.abort());
    return cutOffBy(signal, "s-1");
  };
  const performer = { perform, recover: perform, tidy: async (run: string) => void tidied.push(run) } as never;
  const s = await stage({ pipeline, parts: { performer } });
  await s.drive(stop.signal);
  expect(tidied).toEqual([]);
  await s.drive();
  expect(tidied).toEqual([s.run]);
});
