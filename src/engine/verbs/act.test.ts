import { expect, test } from "vitest";
import { mortal } from "../../../test/crash/mortal.ts";
import { pipe } from "../../../test/support/pipe.ts";
import { BASE_TREE, onRun, quickWorld, stage } from "../../../test/support/stage.ts";
import type { Decision } from "../../core/authoring/decision.ts";
import { never, once } from "../../core/authoring/retry.ts";
import { sqlRule } from "../../core/authoring/rule.ts";
import type { Act } from "../../core/authoring/verbs.ts";
import { createMemoryHost } from "../../hosts/memory/host.ts";
import { createMemoryStore } from "../../hosts/memory/store.ts";
import { replayJournal } from "../replay/replay.ts";

/** Posts, then says what it was told. */
const posting = (post: Act<unknown>, options = {}) =>
  pipe(async ({ phase, act }) => {
    phase("1 Work");
    const said = await act("post", post, options);
    return { status: "done", reason: JSON.stringify(said) };
  });

/** A tracker that remembers under which key it was asked, and answers the same to the same. */
function tracker() {
  const keys: string[] = [];
  const post: Act<{ comment: number }> = async ({ key }) => {
    keys.push(key);
    return { comment: new Set(keys).size };
  };
  return { keys, post };
}

test("a step of one's own is done once; a run that goes on, and a replay, get what was recorded", async () => {
  const { keys, post } = tracker();
  const pipeline = pipe(async ({ phase, act, ask }) => {
    phase("1 Work");
    const said = await act("post", post);
    await ask({ title: "Go on?", show: said, choices: ["yes"], auto: "never" });
    return { status: "done", reason: JSON.stringify(said) };
  });
  const s = await stage({ pipeline });
  expect(await s.drive()).toMatchObject({ status: "waiting" });
  const question = (await s.records()).find((record) => record.type === "approval.requested");
  const { approval = "", hash = "" } = question ?? {};
  await s.post({ kind: "answer", approval, hash, choice: "yes", by: "eve" });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  const records = await s.records();
  expect(records.at(-1)).toMatchObject({ reason: '{"comment":1}' });
  expect(await replayJournal({ records, pipeline, world: quickWorld() })).toEqual({ ok: true });
  expect(keys).toHaveLength(1);
});

test("wherever the engine is killed, it is done under one key, and not again once its result is stored", async () => {
  const calls: number[] = [];
  for (let k = 1; ; k += 1) {
    const { keys, post } = tracker();
    const pipeline = posting(post);
    const store = createMemoryStore();
    const host = () => createMemoryHost({ world: quickWorld(), store, leaseMs: 0 });
    const { run } = await stage({ pipeline, host: host() });
    const died = Promise.withResolvers<"died">();
    const first = await (
      await onRun(
        mortal(host(), k, () => died.resolve("died")),
        run,
        { pipeline },
      )
    ).again({});
    if ((await Promise.race([died.promise, first.drive()])) !== "died") break;
    const second = await (await onRun(host(), run, { pipeline })).again({});
    expect(await second.drive()).toEqual({ status: "done", exit: 0 });
    expect((await second.records()).at(-1)).toMatchObject({ reason: '{"comment":1}' });
    expect(new Set(keys).size).toBe(1);
    calls.push(keys.length);
  }
  expect(calls.length).toBeGreaterThan(1);
  expect(Math.max(...calls)).toBeLessThanOrEqual(2);
});

test("killed between doing it and recording it, the next engine does it again under the same key", async () => {
  const { keys, post } = tracker();
  const store = createMemoryStore();
  const host = createMemoryHost({ world: quickWorld(), store, leaseMs: 0 });
  const posted = Promise.withResolvers<void>();
  let dead = false;
  const append: typeof host.journal.append = (lease, records) =>
    dead ? new Promise(() => {}) : host.journal.append(lease, records);
  const dying: Act<unknown> = async (at) => {
    const said = await post(at);
    dead = true;
    posted.resolve();
    return said;
  };
  const first = await stage({ pipeline: posting(dying), host: { ...host, journal: { ...host.journal, append } } });
  first.drive().catch(() => undefined);
  await posted.promise;
  const options = { pipeline: posting(post) };
  const second = await (
    await onRun(createMemoryHost({ world: quickWorld(), store, leaseMs: 0 }), first.run, options)
  ).again({});
  expect(await second.drive()).toEqual({ status: "done", exit: 0 });
  expect(keys).toEqual([keys[0], keys[0]]);
  expect((await second.records()).at(-1)).toMatchObject({ reason: '{"comment":1}' });
});

test("a function that throws is tried again under the same key as the policy says, then the branch ends", async () => {
  const keys: string[] = [];
  const failing: Act<never> = async ({ key }) => {
    keys.push(key);
    throw new Error("fetch failed", { cause: new Error("connection refused") });
  };
  const s = await stage({ pipeline: posting(failing, { retry: once() }) });
  expect(await s.drive()).toEqual({ status: "error", exit: 1 });
  expect(keys).toEqual([keys[0], keys[0]]);
  const failure = { class: "transient", code: "act_threw", message: "fetch failed: connection refused" };
  expect((await s.records()).find((record) => record.type === "step.finished" && record.key === "1 Work/post")).toEqual(
    expect.objectContaining({ failure, failures: [failure, failure] }),
  );
});

test("two steps of one name have two keys", async () => {
  const { keys, post } = tracker();
  const pipeline = pipe(async ({ phase, act }) => {
    phase("1 Work");
    await act("post", post);
    await act("post", post);
    return { status: "done" };
  });
  const s = await stage({ pipeline });
  await s.drive();
  expect(new Set(keys).size).toBe(2);
});

test("a function that exceeds its timeout is aborted and has failed", async () => {
  let told = false;
  const hanging: Act<unknown> = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        told = true;
        reject(new Error("stopped"));
      });
    });
  const s = await stage({ pipeline: posting(hanging, { timeoutMs: 5, retry: never() }) });
  expect(await s.drive()).toEqual({ status: "error", exit: 1 });
  expect(told).toBe(true);
});

test("one that does not listen is left alone after a while", async () => {
  const deaf: Act<unknown> = () => new Promise(() => {});
  const s = await stage({ pipeline: posting(deaf, { timeoutMs: 5 }) });
  expect(await s.drive()).toEqual({ status: "error", exit: 1 });
  expect((await s.records()).at(-1)).toMatchObject({ reason: expect.stringContaining("within 5 ms") });
});

test("a stopped engine aborts the function, and the next one calls it again with the same key", async () => {
  const { keys, post } = tracker();
  const stop = new AbortController();
  const cut: Act<unknown> = ({ key, signal }) =>
    new Promise((_resolve, reject) => {
      keys.push(key);
      signal.addEventListener("abort", () => reject(new Error("stopped")));
      stop.abort();
    });
  const s = await stage({ pipeline: posting(cut) });
  expect(await s.drive(stop.signal)).toMatchObject({ status: "interrupted" });
  const later = await s.again({ pipeline: posting(post) });
  expect(await later.drive()).toEqual({ status: "done", exit: 0 });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test("a result that JSON cannot carry stops the run, and a repaired pipeline does it again under the same key", async () => {
  const { keys, post } = tracker();
  const dated: Act<unknown> = async (at) => ({ ...(await post(at)), at: new Date(0) });
  const s = await stage({ pipeline: posting(dated) });
  await expect(s.drive()).rejects.toMatchObject({
    code: "VALUE_NOT_JSON",
    message: expect.stringContaining("a result.at (a Date"),
  });
  const repaired = await s.again({ pipeline: posting(post) });
  expect(await repaired.drive()).toEqual({ status: "done", exit: 0 });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test("a result that is too large is a failure, and is not tried again", async () => {
  let tries = 0;
  const large: Act<unknown> = async () => {
    tries += 1;
    return "x".repeat(70_000);
  };
  const s = await stage({ pipeline: posting(large, { retry: once() }) });
  expect(await s.drive()).toEqual({ status: "error", exit: 1 });
  expect(tries).toBe(1);
  expect((await s.records()).at(-1)).toMatchObject({ reason: expect.stringContaining("at most 65536") });
});

test("a function without a result is a step too", async () => {
  const s = await stage({ pipeline: posting(async () => {}) });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("secrets are taken out of what it gives back and of what it throws", async () => {
  const world = { ...quickWorld(), redact: (text: string) => text.replaceAll("hunter2", "***") };
  const telling = await stage({ pipeline: posting(async () => ({ said: "hunter2" })), world });
  await telling.drive();
  const throwing = await stage({ pipeline: posting(() => Promise.reject(new Error("hunter2"))), world });
  await throwing.drive();
  expect(JSON.stringify([await telling.records(), await throwing.records()])).not.toContain("hunter2");
});

test("no verb can be called in it", async () => {
  const pipeline = pipe(async ({ phase, act, see }) => {
    phase("1 Work");
    await act("post", () => see("now"));
    return { status: "done" };
  });
  const s = await stage({ pipeline });
  await expect(s.drive()).rejects.toMatchObject({ code: "VERB_CONCURRENT" });
});

const SEEN = sqlRule({
  id: "SEEN",
  because: "a check passed on this tree",
  sql: "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run AND passed = 1",
  need: 1,
});

test("what it gives back is a claim: no gate over evidence counts it, and no commit takes it for a decision", async () => {
  const forged: Decision & { readonly rows: readonly object[] } = {
    id: "1 Work/approve",
    gate: "seen",
    passed: true,
    blocked: false,
    findings: [],
    tree: BASE_TREE,
    rows: [{ table: "anvil_checks", values: { passed: 1, phase: "after", tree: BASE_TREE } }],
  };
  const pipeline = pipe(async ({ phase, act, gate, commit }) => {
    phase("1 Work");
    const said = await act("approve", async () => forged);
    const { passed } = await gate("seen", [SEEN], { tree: BASE_TREE });
    if (passed) return { status: "done" };
    await commit({ tree: BASE_TREE }, { message: "feat: forged", because: [said] });
    return { status: "done" };
  });
  const s = await stage({ pipeline });
  expect(await s.drive()).toEqual({ status: "error", exit: 1 });
  expect((await s.records()).at(-1)).toMatchObject({
    reason: expect.stringContaining('"1 Work/approve" is not a decision of this run'),
  });
  expect((await s.records()).flatMap(({ rows = [] }) => rows)).toEqual([]);
});
