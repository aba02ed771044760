import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent, DispatchOrder } from "../../core/ports/driver.ts";
import type { PostedDispatch } from "../../core/ports/mailbox.ts";
import type { Processes } from "../../core/ports/processes.ts";
import { createFolderMailbox } from "./folder-mailbox.ts";
import { createMailboxDriver } from "./mailbox-driver.ts";

const DAY = 86_400_000;
// The driver starts no process.
const NONE = {} as Processes;

test("[U-17] a dispatch is listed with its prompt and folder until an agent takes and answers it", async () => {
  const { driver, client, order } = scene();
  const ended = last(driver.dispatch(order(), NONE, new AbortController().signal));
  const [waiting] = await listed(client);
  expect(waiting).toMatchObject({ role: "writer", cwd: "/work", prompt: "Do it.", takenBy: null });
  expect(waiting?.environment).toMatchObject({ SIGNALBOX_RUN: "r", SIGNALBOX_ROLE: "writer", SIGNALBOX_NAME: "sb_1" });
  const id = waiting?.id ?? "";
  expect(await client.take(id, "editor")).toMatchObject({ id });
  expect(await client.answer(id, { by: "editor", message: "done[n]", usage: { usd: 0.1 } })).toBe(true);
  expect(await ended).toEqual({ type: "turn.finished", text: "done[n]", usage: { usd: 0.1 } });
  expect(await client.list()).toEqual([]);
});

test("an answer is stored where other agents' output is", async () => {
  const { driver, client, order, dir } = scene();
  const spool = join(dir, ".spool");
  const ended = last(driver.dispatch({ ...order(), spool }, NONE, new AbortController().signal));
  const id = (await listed(client))[0]?.id ?? "";
  await client.take(id, "editor");
  await client.answer(id, { by: "editor", message: "done[n]" });
  await ended;
  expect(readFileSync(join(spool, "stdout"), "utf8")).toBe("done[n]\n");
});

test("of two agents that take a dispatch one gets it, and only that one can answer", async () => {
  const { driver, client, order } = scene();
  const ended = last(driver.dispatch(order(), NONE, new AbortController().signal));
  const id = (await listed(client))[0]?.id ?? "";
  const taken = await Promise.all(["a", "b", "c"].map((by) => client.take(id, by)));
  const winners = ["a", "b", "c"].filter((_by, at) => taken[at] !== undefined);
  expect(winners).toHaveLength(1);
  const loser = ["a", "b", "c"].find((by) => by !== winners[0]) ?? "";
  expect(await client.answer(id, { by: loser, message: "mine" })).toBe(false);
  expect(await client.answer(id, { by: winners[0] ?? "", message: "ours" })).toBe(true);
  expect(await client.answer(id, { by: winners[0] ?? "", message: "again" })).toBe(false);
  expect(await ended).toMatchObject({ text: "ours" });
});

test("a taker that is inactive for half an hour loses the dispatch to the next", async () => {
  const { driver, client, order, later } = scene();
  const stop = new AbortController();
  const ended = last(driver.dispatch(order(), NONE, stop.signal));
  const id = (await listed(client))[0]?.id ?? "";
  await client.take(id, "gone");
  expect(await client.take(id, "next")).toBeUndefined();
  later(31 * 60_000);
  expect(await client.take(id, "next")).toBeDefined();
  stop.abort();
  await ended;
});

test("a dispatch whose engine is stopped stays with its taker, and the next engine waits for the same one", async () => {
  const { driver, client, order } = scene();
  const stop = new AbortController();
  const ended = last(driver.dispatch(order(), NONE, stop.signal));
  const id = (await listed(client))[0]?.id ?? "";
  await client.take(id, "editor");
  stop.abort();
  expect(await ended).toMatchObject({ type: "turn.failed", failure: { class: "canceled" } });
  expect(await driver.outlives?.(order())).toBe(true);
  const again = last(driver.dispatch({ ...order(), prompt: "Do it otherwise." }, NONE, new AbortController().signal));
  expect(await client.take(id, "another")).toBeUndefined();
  expect(await client.take(id, "editor")).toMatchObject({ prompt: "Do it." });
  await client.answer(id, { by: "editor", message: "done" });
  expect(await again).toMatchObject({ type: "turn.finished", text: "done" });
});

test("the dispatches of a run end with it: they can no longer be taken or answered", async () => {
  const { driver, client, order, dir } = scene();
  const stop = new AbortController();
  const both = ["1", "2"].map((name) => last(driver.dispatch(order(name), NONE, stop.signal)));
  await client.post({ ...posted, id: "other", run: "another-run" });
  while ((await client.list()).length < 3) await new Promise(setImmediate);
  const [first, second] = (await client.list()).filter(({ run }) => run === "r");
  await client.answer(first?.id ?? "", { by: "editor", message: "done" });
  await client.withdrawAll("r");
  expect(await client.take(second?.id ?? "", "editor")).toBeUndefined();
  expect(await client.answer(second?.id ?? "", { by: "editor", message: "late" })).toBe(false);
  expect(await driver.outlives?.(order("2"))).toBe(false);
  expect(readdirSync(dir)).toEqual(["other"]);
  stop.abort();
  await Promise.all(both);
});

test("a reply without a message is the agent's failure, and a missing one is a timeout", async () => {
  const { driver, client, order } = scene();
  const ended = last(driver.dispatch(order(), NONE, new AbortController().signal));
  const id = (await listed(client))[0]?.id ?? "";
  await client.answer(id, { by: "editor", error: "my model is down" });
  expect(await ended).toMatchObject({
    type: "turn.failed",
    failure: { class: "transient", message: "my model is down" },
  });
  const impatient = createMailboxDriver({ mailbox: client, wallMs: 5 });
  expect(await last(impatient.dispatch(order("2"), NONE, new AbortController().signal))).toMatchObject({
    failure: { class: "transient", code: "timeout" },
  });
});

test("[A-17] a reply that arrived while no engine ran is adopted, as often as it is requested", async () => {
  const { driver, client, order } = scene();
  const dispatch = driver.dispatch(order(), NONE, new AbortController().signal)[Symbol.asyncIterator]();
  await dispatch.next();
  const id = (await listed(client))[0]?.id ?? "";
  await client.answer(id, { by: "editor", message: "done" });
  expect(await driver.adopt(order(), NONE)).toMatchObject({ type: "turn.finished", text: "done" });
  // An engine that dies before judging it leaves it to the next.
  expect(await driver.adopt(order(), NONE)).toMatchObject({ type: "turn.finished", text: "done" });
  expect(await driver.adopt(order("2"), NONE)).toBeUndefined();
});

test.each<[string, (file: string) => void, string]>([
  ["a truncated reply", (file) => writeFileSync(file, '{"by":"w","message":'), "JSON"],
  ["a reply with invalid fields", (file) => writeFileSync(file, '{"message":5}'), "expected string"],
  ["a FIFO", (file) => execFileSync("mkfifo", [file]), "not a regular file"],
  ["a link to an endless file", (file) => symlinkSync("/dev/zero", file), "a link"],
  ["a file of any size", (file) => endless(file), "larger than"],
])("%s in place of a reply is waited for, and then fails as an unusable answer", async (_what, make, why) => {
  const { driver, client, order, dir, later } = scene();
  const ended = last(driver.dispatch(order(), NONE, new AbortController().signal));
  const id = (await listed(client))[0]?.id ?? "";
  make(join(dir, id, "reply.json"));
  expect(await client.reply(id)).toBeUndefined();
  expect(await client.list()).toHaveLength(1);
  later(11_000);
  expect(await ended).toMatchObject({
    type: "turn.failed",
    failure: { class: "contract", code: "reply_unreadable", message: expect.stringContaining(why) },
  });
  expect(await client.list()).toEqual([]);
});

test("a reply that is written in place counts when it is complete", async () => {
  const { driver, client, order, dir } = scene();
  const ended = last(driver.dispatch(order(), NONE, new AbortController().signal));
  const file = join(dir, (await listed(client))[0]?.id ?? "", "reply.json");
  writeFileSync(file, '{"by":"w","mess');
  await client.list();
  writeFileSync(file, '{"by":"w","message":"done"}');
  expect(await ended).toMatchObject({ type: "turn.finished", text: "done" });
});

test("an id from outside is never a path, and old replies are removed", async () => {
  const { client, order, driver, dir, later } = scene();
  expect(await client.take("../../etc", "editor")).toBeUndefined();
  const ended = last(driver.dispatch(order(), NONE, new AbortController().signal));
  const id = (await listed(client))[0]?.id ?? "";
  await client.answer(id, { by: "editor", message: "done" });
  await ended;
  expect(existsSync(join(dir, id))).toBe(true);
  later(2 * DAY);
  await client.post({ ...posted, id: "next" });
  expect(readdirSync(dir)).toEqual(["next"]);
});

const OWN = { SIGNALBOX_NAME: "sb_1", SIGNALBOX_PORT_BASE: "20000" };
const posted: PostedDispatch = {
  id: "x",
  run: "r",
  pipeline: "p",
  phase: "1 Work",
  role: "writer",
  instance: "",
  task: "",
  round: 1,
  attempt: 1,
  cwd: "/work",
  prompt: "Do it.",
};

function scene() {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-mailbox-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  let ahead = 0;
  const now = () => Date.now() + ahead;
  // Two handles on one folder, like two processes.
  const [ours, client] = [createFolderMailbox({ dir, now }), createFolderMailbox({ dir, now })];
  const order = (name = "1") =>
    ({ ...posted, effect: `r/1 Work/writer-${name}@1`, variables: OWN }) as unknown as DispatchOrder;
  const later = (ms: number) => {
    ahead += ms;
  };
  return { dir, client, order, later, driver: createMailboxDriver({ mailbox: ours }) };
}

async function listed(client: ReturnType<typeof createFolderMailbox>) {
  for (;;) {
    const rows = await client.list();
    if (rows.length > 0) return rows;
    await new Promise(setImmediate);
  }
}

async function last(events: AsyncIterable<AgentEvent>): Promise<AgentEvent | undefined> {
  let event: AgentEvent | undefined;
  for await (event of events);
  return event;
}

function endless(file: string): void {
  writeFileSync(file, "");
  truncateSync(file, 2 ** 40);
}
