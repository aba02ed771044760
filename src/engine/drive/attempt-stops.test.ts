import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../test/support/pipe.ts";
import { done, onRun, quickWorld, type Stage, stage, world } from "../../../test/support/stage.ts";
import { once, type Retry } from "../../core/authoring/retry.ts";
import { defineRole } from "../../core/authoring/role.ts";
import type { AttemptResult } from "../../core/journal/effect.ts";
import type { JournalRecord, RecordType } from "../../core/journal/record.ts";
import { createMemoryHost } from "../../hosts/memory/host.ts";
import { createMemoryStore } from "../../hosts/memory/store.ts";

const worker = defineRole({ name: "worker", does: "works", contract: z.object({ ok: z.boolean() }) });

const piped = (retry: Retry) =>
  pipe(
    async ({ phase, parallel, attempt }) => {
      phase("1 Work");
      const answers = await parallel(["a", "b"], (branch) => attempt(worker, { branch }));
      const reason = answers.map((each) => (each?.ok ? "answered" : "failed")).join(", ");
      return { status: "done", reason };
    },
    { retry },
  );

const untilAborted = (signal: AbortSignal): Promise<AttemptResult> =>
  new Promise((resolve) => {
    const end = () => resolve({ outcome: "interrupted", session: "s-1" });
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });

const only = async <T extends RecordType>(s: Stage, type: T) =>
  (await s.records()).filter((record): record is JournalRecord<T> => record.type === type);

const begun = async (s: Stage, count: number): Promise<void> => {
  while ((await only(s, "agent.started")).length < count) await new Promise(setImmediate);
};

/** The one of branch a hangs the first time; everybody else answers. */
const hangs = world((request, signal) =>
  JSON.stringify(request.input) === '{"branch":"a"}' && request.attempt === 1
    ? untilAborted(signal)
    : done({ ok: true }),
);

const effectOf = ({ run }: Stage, branch: string, attempt = 1): string => `${run}/1 Work/${branch}/worker@${attempt}`;

test("an agent stopped by a person fails at once with that person's name, and other agents continue", async () => {
  const s = await stage({ pipeline: piped(once()), perform: hangs });
  const driven = s.drive();
  await begun(s, 2);
  expect(await s.post({ kind: "stop", effect: effectOf(s, "a"), by: "ada", note: "it loops" })).toBeUndefined();
  expect(await driven).toEqual({ status: "done", exit: 0 });
  const ends = await only(s, "agent.finished");
  const failure = { class: "canceled", code: "stopped", message: "stopped by ada: it loops" };
  expect(ends.find(({ key }) => key.includes("/a/"))).toMatchObject({ outcome: "failed", failure });
  expect(ends.find(({ key }) => key.includes("/b/"))).toMatchObject({ outcome: "done" });
  expect(await only(s, "run.finished")).toMatchObject([{ reason: "failed, answered" }]);
  // No policy of ours spends a retry on it, and the word is read.
  expect(await only(s, "agent.retried")).toEqual([]);
  expect(await s.host.inbox.unread(s.run)).toEqual([]);
});

test("a policy of a pipeline's own may ask a stopped agent again", async () => {
  const again: Retry = (failures) => (failures.length > 1 ? { again: false } : { again: true, waitMs: 0 });
  const s = await stage({ pipeline: piped(again), perform: hangs });
  const driven = s.drive();
  await begun(s, 2);
  await s.post({ kind: "stop", effect: effectOf(s, "a"), by: "ada" });
  expect(await driven).toEqual({ status: "done", exit: 0 });
  expect(await only(s, "agent.retried")).toMatchObject([{ attempt: 2, because: { message: "stopped by ada" } }]);
  expect(await only(s, "run.finished")).toMatchObject([{ reason: "answered, answered" }]);
});

test("a word for an attempt that is over, or that never was, is read and changes nothing", async () => {
  const s = await stage({ pipeline: piped(once()), perform: hangs });
  const driven = s.drive();
  while ((await only(s, "agent.finished")).length < 1) await new Promise(setImmediate);
  await s.post({ kind: "stop", effect: effectOf(s, "b"), by: "ada" });
  await s.post({ kind: "stop", effect: "somebody else's", by: "ada" });
  while ((await s.host.inbox.unread(s.run)).length > 0) await new Promise(setImmediate);
  await s.post({ kind: "stop", effect: effectOf(s, "a"), by: "ada" });
  await driven;
  expect((await only(s, "agent.finished")).map(({ outcome }) => outcome)).toEqual(["done", "failed"]);
});

test("an engine that takes over an attempt with a stop request stops it in any state", async () => {
  const store = createMemoryStore();
  const s = await stage({
    pipeline: piped(once()),
    perform: hangs,
    host: createMemoryHost({ world: quickWorld(), store }),
  });
  const lost = s.drive().catch((error: unknown) => error);
  await begun(s, 2);
  while ((await only(s, "agent.finished")).length < 1) await new Promise(setImmediate);
  const later = { ...quickWorld(), now: () => Date.now() + 3_600_000 };
  const host = createMemoryHost({ world: later, store });
  // The first engine has lost the run and does not know it yet.
  await host.runs.claim(s.run, "nobody");
  await host.inbox.post(s.run, { kind: "stop", effect: effectOf(s, "a"), by: "ada" });
  const evenLater = { ...quickWorld(), now: () => Date.now() + 7_200_000 };
  const last = createMemoryHost({ world: evenLater, store });
  const options = { pipeline: piped(once()), world: evenLater, perform: hangs, recover: hangs };
  const next = await (await onRun(last, s.run, options)).again({});
  expect(await next.drive()).toEqual({ status: "done", exit: 0 });
  expect((await only(next, "agent.finished")).at(-1)).toMatchObject({ failure: { message: "stopped by ada" } });
  expect(await lost).toMatchObject({ code: "FENCED" });
});

test("a pause suspends the run and stops its agents, and resume restarts them", async () => {
  const s = await stage({ pipeline: piped(once()), perform: hangs });
  const driven = s.drive();
  while ((await only(s, "agent.finished")).length < 1) await new Promise(setImmediate);
  await s.post({ kind: "pause", by: "ada", note: "lunch" });
  expect(await driven).toEqual({ status: "paused", exit: 3 });
  expect((await only(s, "agent.finished")).at(-1)).toMatchObject({
    outcome: "interrupted",
    orderly: true,
    limit: "paused by ada: lunch",
    session: "s-1",
  });
  expect(await only(s, "run.suspended")).toMatchObject([{ status: "paused", reason: "paused by ada: lunch" }]);
  expect(await s.host.inbox.unread(s.run)).toEqual([]);
  await s.post({ kind: "resume", by: "bo" });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(await only(s, "run.finished")).toMatchObject([{ reason: "answered, answered" }]);
  // It goes on where it was put down, and nothing counts as an interruption.
  expect((await only(s, "agent.started")).at(-1)).toMatchObject({ attempt: 2, continues: "s-1" });
});

test("resume cancels a pending pause", async () => {
  const s = await stage({ pipeline: piped(once()) });
  await s.post({ kind: "pause", by: "ada" });
  await s.post({ kind: "resume", by: "bo" });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(await only(s, "run.resumed")).toMatchObject([{ by: "bo" }]);
  expect(await s.host.inbox.unread(s.run)).toEqual([]);
});
