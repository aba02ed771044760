import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { JournalRecord, RecordBody } from "../../src/core/journal/record.ts";
import { hashChain } from "../../src/engine/drive/recorder.ts";
import { selectRecordsBefore } from "../../src/engine/replay/fork-history.ts";
import { openTeam, type TeamHost } from "../../src/hosts/dbos/open-team.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
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
const world = createRealWorld();

let server: TestPostgres;
let eves: string;
let scene: TeamScene;
let person: Machine;
let worker: WorkerProcess;
let host: TeamHost;
let script: string;
beforeAll(async () => {
  server = await startPostgres();
  const url = await server.team("members");
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE ROLE eve LOGIN PASSWORD 'eve' IN ROLE signalbox_member");
  await client.end();
  eves = Object.assign(new URL(url), { username: "eve", password: "eve" }).href;
  scene = teamScene({ url, files: SMALL_FILES, config: SMALL_CONFIG });
  script = join(scene.dir, "agents.yaml");
  writeFileSync(script, SMALL_AGENTS);
  person = scene.machine("person");
  worker = scene.machine("worker").worker();
  await worker.ready;
  host = await openTeam({ url: eves, world });
}, 3 * MINUTES);
afterAll(async () => {
  await host.close();
  await scene.remove();
  await server.stop();
});

const runAsEve = (...words: string[]) => person.signalbox(...words, "--postgres", eves);
const start = (...more: string[]) => runAsEve("run", "small", "make it", "--agents", script, ...more);

/** Returns the id of the newest run. */
async function findLastRun(): Promise<string> {
  const [row] = await host.runs.list();
  return row?.id ?? "";
}

test("a member starts a run, answers it, and forks another one from its middle", {
  timeout: 3 * MINUTES,
}, async () => {
  expect((await start("--input", "finish=ask")).code).toBe(3);
  const source = await findLastRun();
  const { approvals } = JSON.parse((await runAsEve("inbox")).out);
  const answered = await runAsEve("approve", approvals[0].approval, "--choose", "keep");
  expect(answered.code, answered.out).toBe(0);
  const followed = await runAsEve("events", source, "--follow");
  expect(followed.out).toContain('"status":"done"');
  const again = await start("--from", `${source}:2 Decide`);
  expect(again.code, again.out + again.err).toBe(0);
});

test("a run that starts with forged finished steps is not driven", {
  timeout: 3 * MINUTES,
}, async () => {
  expect((await start("--input", "finish=pause")).code).toBe(3);
  const source = await findLastRun();
  const records = await host.journal.load(source);
  const [started] = records;
  const finished = records.filter((record) => record.type === "step.finished");
  if (started?.type !== "run.started" || finished.length === 0) throw new Error("the run has done nothing");
  const from = { run: source, phase: "2 Decide", seq: finished.length + 1 };
  const nowhere = { ...from, run: "20200101-000000-nowhere" };
  const steps = records.filter((record) => "key" in record);
  const end = { type: "run.finished", status: "done", exit: 0 } as const;
  const refused: Record<string, RecordBody[]> = {
    "no start": steps,
    "an end": [started, end],
    "steps without a run": [started, ...steps],
    "steps of a run that is not there": [{ ...started, from: nowhere }, ...steps],
    nothing: [],
  };
  for (const [name, facts] of Object.entries(refused))
    await expect(begin(`${source}${name.replaceAll(" ", "")}`, facts), name).rejects.toThrow(
      "a run begins with its start",
    );
  const beginning = source.slice(0, -7);
  for (const id of ["../escaped", "a/../../b", "a/b", "-rf", ".", "", beginning, `${source}-A`, "mine"])
    await expect(begin(id, [started]), id).rejects.toThrow("a run is called by");
  await expect(begin(`${source}x`, [started], "small\u001b[2J")).rejects.toThrow("a pipeline is called by");

  const changed = [
    { ...started, from },
    ...steps.map((step) => ("value" in step ? { ...step, value: "another" } : step)),
  ];
  const forgeries: Record<string, RecordBody[]> = {
    "other steps than that run has": changed,
    "steps of a forged one": [
      { ...started, from: { ...from, run: `${source}0` } },
      ...selectRecordsBefore({ records: stampFacts(`${source}0`, changed), phase: "2 Decide", run: `${source}1` }),
    ],
    "a memory that no run has": [
      { ...started, from: { ...from, seen: [SEEN] } },
      ...selectRecordsBefore({ records, phase: "2 Decide", run: `${source}2` }),
    ],
    "a commit that nothing was looked at for": [{ ...started, preflight: undefined }],
    "more phases than there can be": [{ ...started, phases: 7 as unknown as string[] }],
  };
  for (const [name, facts] of Object.entries(forgeries)) {
    const run = `${source}${Object.keys(forgeries).indexOf(name)}`;
    await begin(run, facts);
    await host.team.notes.put(run, (await host.team.notes.get(source))[0] ?? null);
    await expect(host.drive(run), name).rejects.toMatchObject({ code: "JOURNAL_DAMAGED" });
    expect(await host.journal.load(run), name).toHaveLength(facts.length);
  }
  const heir = await start("--from", `${source}0:2 Decide`);
  expect(heir.code).toBe(65);
  expect(heir.out).toContain(`The start of run ${source}0 is invalid`);
  const verified = await runAsEve("evidence", `${source}0`, "--verify", "--check");
  expect(verified.code, verified.out).toBe(1);
  expect(verified.out).toContain(" is invalid: ");
});

/** A test command recorded as passed on a tree. */
const SEEN = {
  ...{ check: "test", command: "true", tree: "a".repeat(40), exitCode: 0 },
  ...{ ms: 1, digest: "d", snippet: "", turn: 1 },
};

test("a run with a damaged journal does not hide other runs", { timeout: 3 * MINUTES }, async () => {
  expect((await start("--input", "finish=ask")).code).toBe(3);
  const asked = await findLastRun();
  const [started] = await host.journal.load(asked);
  if (!started) throw new Error("the run has no beginning");
  const repo = (await host.runs.get(asked))?.repo ?? "";
  const damaged = `${asked}x`;
  await host.runs.create({ id: damaged, pipeline: "small", repo }, [
    { ...started, run: damaged, chain: "0".repeat(64) },
  ]);
  const odd: Record<string, object> = { phases: { phases: 7 }, version: { version: "1\u001b[2J" } };
  for (const [name, wrong] of Object.entries(odd)) await begin(`${asked}${name}`, [{ ...started, ...wrong }]);
  const listed = await runAsEve("ps");
  expect(listed.code, listed.out).toBe(0);
  for (const run of [damaged, ...Object.keys(odd).map((name) => `${asked}${name}`)]) {
    expect(JSON.parse(listed.out).runs).toContainEqual(expect.objectContaining({ run, status: "broken" }));
    expect((await runAsEve("status", run)).code, run).toBe(65);
  }
  const { approvals } = JSON.parse((await runAsEve("inbox")).out);
  const [{ approval }] = approvals.filter(({ run }: { run: string }) => run === asked);
  const answered = await runAsEve("approve", approval, "--choose", "keep");
  expect(answered.code, answered.out).toBe(0);
});

async function begin(id: string, facts: readonly RecordBody[], pipeline = "small"): Promise<void> {
  const [{ repo = "" } = {}] = await host.runs.list();
  await host.runs.create({ id, pipeline, repo }, stampFacts(id, facts));
}

test("a new run cannot bring rows of another run", async () => {
  const client = new Client({ connectionString: eves, options: "-c search_path=signalbox" });
  await client.connect();
  const forged = { anvil_checks: [{ run_id: "another", phase: "after", check_name: "test", passed: 1, ts: "now" }] };
  const bounds = `[2:3]={${JSON.stringify(CANCELED)},${JSON.stringify(DONE)}}`;
  const [ended] = (await host.runs.list()).filter(({ status }) => status === "done");
  const start = JSON.stringify({ type: "run.started", from: { run: ended?.id } });
  await expect(
    client.query("SELECT create_run('20200101-000000-aaaaaa', 'small', $1, $2, $3)", [
      ended?.repo,
      [start],
      JSON.stringify(forged),
    ]),
  ).rejects.toThrow("rows of its own");
  await expect(client.query("SELECT cancel_run($1, 1, $2, '{}')", [ended?.id, bounds])).rejects.toThrow(
    "only a worker",
  );
  await expect(client.query("SELECT cancel_run($1, 1, $2, '{}')", [ended?.id, [CANCELED]])).rejects.toThrow(
    "by a letter of theirs",
  );
  for (const change of ["DELETE FROM notes WHERE run = $1", "UPDATE notes SET body = '{}' WHERE run = $1"])
    await expect(client.query(change, [ended?.id])).rejects.toThrow("permission denied");
  await expect(
    client.query(
      "INSERT INTO inbox (id, run, at, letter) OVERRIDING SYSTEM VALUE VALUES (9007199254740000, $1, 1, '{}')",
      [ended?.id],
    ),
  ).rejects.toThrow("permission denied");
  await expect(
    client.query("SELECT cancel_run($1, 1, $2, '{}')", [await findLastRun(), ['{"type":"step.finished"}', CANCELED]]),
  ).rejects.toThrow("only a worker");
  await client.end();
});

test("commits that a run started from are not landed silently if no check has run on them", {
  timeout: 3 * MINUTES,
}, async () => {
  const eve = scene.machine("eve");
  writeFileSync(join(eve.repo, "README.md"), "# hers\n");
  const identity = ["-c", "user.name=eve", "-c", "user.email=eve@example.org"];
  execFileSync("git", ["-C", eve.repo, ...identity, "commit", "-qam", "mine"]);
  const done = await eve.signalbox("run", "small", "x", "--agents", script, "--trust", "--postgres", eves);
  expect(done.code, done.out + done.err).toBe(0);
  const refused = await person.signalbox("land", await findLastRun());
  expect(refused.code).toBe(4);
  expect(refused.out).toMatch(/is based on \w+, which your branch does not have/);
});

test("untrusted commands are not run, whatever trust the notes claim", {
  timeout: 3 * MINUTES,
}, async () => {
  expect((await start("--input", "finish=pause")).code).toBe(3);
  const source = await findLastRun();
  const [started] = await host.journal.load(source);
  if (started?.type !== "run.started") throw new Error("the run has no beginning");
  const run = `${source}own`;
  await begin(run, [{ ...started, commands: [{ name: "test", run: "id" }] }]);
  await host.team.notes.put(run, (await host.team.notes.get(source))[0] ?? null);
  await host.drive(run).catch(() => undefined);
  const rests = (await host.journal.load(run)).at(-1);
  expect(rests).toMatchObject({ type: "run.suspended", code: "UNTRUSTED" });
});

test("a member cancels runs while there is no worker, and nothing is left for the next worker", {
  timeout: 3 * MINUTES,
}, async () => {
  await worker.end();
  expect((await start("--detach")).code).toBe(0);
  const run = await findLastRun();
  const canceled = await runAsEve("cancel", run, "--note", "not now");
  expect(canceled.code, canceled.out + canceled.err).toBe(0);
  const last = (await host.journal.load(run)).findLast((record) => record.type === "run.finished");
  expect(last).toMatchObject({ type: "run.finished", status: "canceled", by: "eve", role: "eve" });
  expect(await host.runs.get(run)).toMatchObject({ status: "canceled", owner: null, reason: last?.reason });
  expect(await host.inbox.unread(run)).toEqual([]);
  expect(await host.team.tasks(run)).toEqual([]);
  expect((await runAsEve("cancel", run)).code).toBe(2);
  const verified = await runAsEve("evidence", run, "--verify", "--check");
  expect(verified.code, verified.out + verified.err).toBe(0);

  expect((await start("--detach")).code).toBe(0);
  const next = await findLastRun();
  await host.team.submit(next, ["something:nobody-offers"]);
  expect((await host.team.tasks(next))[0]?.needs).not.toContain("something:nobody-offers");
  await host.inbox.post(next, { kind: "cancel", by: "eve", note: "not\u0000now" });
  await runAsEve("cancel", next);
  expect(await host.runs.get(next)).toMatchObject({ status: "canceled" });
});

const DONE = '{"type":"run.finished","status":"done","exit":0}';
const CANCELED =
  '{"type":"run.finished","status":"canceled","exit":1,"by":"ada","role":"ada","reason":"canceled by ada: not needed"}';

function stampFacts(run: string, facts: readonly RecordBody[]) {
  let chain = "";
  return facts.map((fact, index) => {
    const { chain: _chain, ...bare } = {
      ...(fact as JournalRecord),
      v: 1 as const,
      seq: index + 1,
      ts: world.now(),
      run,
    };
    chain = hashChain(world, chain, bare);
    return { ...bare, chain };
  });
}
