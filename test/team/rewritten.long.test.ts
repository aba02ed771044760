import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { openTeam } from "../../src/hosts/dbos/open-team.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { type Forger, forgerOf } from "./forger.ts";
import {
  type Machine,
  SMALL_AGENTS,
  SMALL_CONFIG,
  SMALL_FILES,
  type TeamScene,
  teamScene,
  type WorkerProcess,
} from "./scene.ts";

const MINUTES = 60_000;

let server: TestPostgres;
let url: string;
let scene: TeamScene;
let person: Machine;
let worker: WorkerProcess;
let forger: Forger;
let script: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("rewritten");
  scene = teamScene({ url, files: SMALL_FILES, config: SMALL_CONFIG });
  script = join(scene.dir, "agents.yaml");
  writeFileSync(script, SMALL_AGENTS);
  person = scene.machine("person");
  forger = forgerOf(url);
  worker = scene.machine("worker").worker();
  await worker.ready;
}, 3 * MINUTES);
afterAll(async () => {
  await scene.remove();
  await server.stop();
});

test("a rewritten journal with matching hashes is not continued, and its anchor is kept as proof", {
  timeout: 3 * MINUTES,
}, async () => {
  const { run, approval } = await startAskingRun();
  await forger.rewrite(run, (records) => records.map(withOtherRequest));
  const anchors = listAnchors(run);
  for (const words of [
    ["approve", approval, "--choose", "keep"],
    ["resume", run],
  ]) {
    const refused = await person.signalbox(...words);
    expect([refused.code, refused.out]).toEqual([65, expect.stringContaining("JOURNAL_DAMAGED")]);
  }
  // Bypasses the commands: an attacker with table access can also post an answer and request a drive.
  const host = await openTeam({ url, world: createRealWorld() });
  try {
    const before = await host.journal.load(run);
    await host.inbox.post(run, { kind: "resume", by: "eve" });
    await expect(host.drive(run)).rejects.toMatchObject({ code: "JOURNAL_DAMAGED" });
    expect(await host.journal.load(run)).toEqual(before);
  } finally {
    await host.close();
  }
  expect(listAnchors(run)).toBe(anchors);
  const verified = JSON.parse((await person.signalbox("evidence", run, "--verify")).out);
  expect(verified).toMatchObject({ agrees: false, differences: [{ where: "anchor" }] });
});

test("a forged end is reported as damage; with matching hashes it differs from its anchor and does not land", {
  timeout: 3 * MINUTES,
}, async () => {
  const { run } = await startAskingRun();
  const appendEnd = (records: readonly JournalRecord[]) => [...records, createEnd(records)];
  await forger.query("UPDATE runs SET status = 'done', exit = 0 WHERE id = $1", [run]);
  const listed = JSON.parse((await person.signalbox("evidence", run, "--verify")).out);
  expect(listed.differences).toMatchObject([
    { message: expect.stringMatching(/status done, but record \d+ has waiting/) },
  ]);
  await forger.insert(run, createEnd);
  for (const words of [
    ["status", run],
    ["why", run],
    ["events", run, "--follow"],
  ]) {
    const refused = await person.signalbox(...words);
    expect([words, refused.code, refused.out]).toEqual([words, 65, expect.stringContaining("JOURNAL_DAMAGED")]);
  }
  await forger.rewrite(run, (records) => appendEnd(records.slice(0, -1)));
  const landed = await person.signalbox("land", run);
  expect(landed.out + landed.err).toContain("is not anchored");
  expect(landed.code).not.toBe(0);
  const verified = JSON.parse((await person.signalbox("evidence", run, "--verify")).out);
  expect(verified.differences).toMatchObject([
    { where: "anchor", message: expect.stringContaining("is not anchored") },
  ]);
});

test("a run that cannot be driven is suspended with the reason, and continues when that is fixed", {
  timeout: 3 * MINUTES,
}, async () => {
  const { run, approval } = await startAskingRun();
  const away = `${scene.bare}.away`;
  renameSync(scene.bare, away);
  const host = await openTeam({ url, world: createRealWorld() });
  try {
    await expect(host.drive(run)).rejects.toMatchObject({ code: expect.stringMatching(/^REMOTE_/) });
  } finally {
    await host.close();
    renameSync(away, scene.bare);
  }
  const last = (await loadRecords(run)).at(-1);
  expect(last).toMatchObject({ type: "run.suspended", status: "interrupted", code: expect.stringMatching(/^REMOTE_/) });
  const answered = await person.signalbox("approve", approval, "--choose", "keep");
  expect(answered.code, answered.out + answered.err).toBe(0);
  const end = async () => (await loadRecords(run)).at(-1);
  await expect.poll(async () => (await end())?.type, { timeout: MINUTES }).toBe("run.finished");
  expect(await end()).toMatchObject({ status: "done" });
});

// Must be last: later tests would find the work done.
test("an end recorded by its worker is anchored, and lands at once", { timeout: 3 * MINUTES }, async () => {
  const done = await person.signalbox("run", "small", "make it", "--agents", script);
  expect(done.code, done.out + done.err).toBe(0);
  const run = /"run":"([a-z0-9-]+)"/.exec(done.out)?.[1] ?? "";
  // In a clone that has neither run nor landed the work.
  const before = JSON.parse((await person.signalbox("evidence", run, "--verify")).out);
  const commits = before.anchors.filter(({ place }: { place: string }) => place.startsWith("commit "));
  expect(commits).toEqual([expect.objectContaining({ state: "holds" })]);
  const landed = await person.signalbox("land", run);
  expect(landed.code, landed.out + landed.err).toBe(0);
  expect(JSON.parse((await person.signalbox("evidence", run, "--verify")).out)).toMatchObject({ agrees: true });
});

async function loadRecords(run: string): Promise<readonly JournalRecord[]> {
  const host = await openTeam({ url, world: createRealWorld() });
  try {
    return await host.journal.load(run);
  } finally {
    await host.close();
  }
}

/** An old end, so that no command waits for its worker. */
function createEnd(records: readonly JournalRecord[]): JournalRecord {
  const last = records.at(-1);
  if (!last) throw new Error("the run has begun");
  const { v, run, chain, seq } = last;
  return { type: "run.finished", status: "done", exit: 0, v, run, chain, seq: seq + 1, ts: 0 };
}

async function startAskingRun(): Promise<{ readonly run: string; readonly approval: string }> {
  const started = await person.signalbox("run", "small", "make it", "--input", "finish=ask", "--agents", script);
  expect(started.code, started.out + started.err).toBe(3);
  const events = started.out.split("\n").filter((line) => line.includes('"approval.requested"'));
  const { run, approval } = JSON.parse(events[0] ?? "{}");
  await waitForAnchor(run);
  return { run, approval };
}

/** Waits until the worker has anchored the suspended run, which happens after it reports the suspension. */
async function waitForAnchor(run: string): Promise<void> {
  await expect.poll(() => worker.lines.some((line) => isLeft(line, run)), { timeout: MINUTES }).toBe(true);
}

const isLeft = (line: string, run: string): boolean => line.includes('"run.left"') && line.includes(run);

const listAnchors = (run: string): string => person.git("ls-remote", "origin", `refs/signalbox/${run}/chain`);

const withOtherRequest = (record: JournalRecord): JournalRecord =>
  record.type === "run.started" ? { ...record, input: { request: "make something else", finish: "ask" } } : record;

test("an answer is accepted while the remote is unavailable: the worker checks the remote before it continues", {
  timeout: 3 * MINUTES,
}, async () => {
  const { approval } = await startAskingRun();
  const away = `${scene.bare}.away`;
  renameSync(scene.bare, away);
  try {
    const answered = await person.signalbox("approve", approval, "--choose", "keep");
    expect(answered.code, answered.out + answered.err).toBe(0);
  } finally {
    renameSync(away, scene.bare);
  }
});
