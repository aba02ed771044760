import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/support/postgres.ts";
import { createHeartbeat, type Heartbeat } from "../heartbeat.ts";
import { reclaimFromDeadWorkers } from "../reaper.ts";
import { type Database, openPostgres } from "./database.ts";
import { createNotices, type Notices } from "./listen-notify.ts";
import { type AttemptLimits, createTasks, type TakenKind, type Tasks } from "./tasks.ts";

let server: TestPostgres;
let url = "";
let database: Database;
let notices: Notices;
let tasks: Tasks;
let repo = "";

beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("tasks");
  database = await openPostgres({ url, schema: "signalbox", connections: 4, patienceMs: 0 });
  notices = createNotices(database);
  tasks = createTasks({ database, notices });
});
beforeEach(async () => {
  repo = randomUUID();
  await database.query("DELETE FROM tasks");
});
afterAll(async () => {
  await notices.close();
  await database.close();
  await server.stop();
});

describe("a worker takes", () => {
  test("the oldest task of its repository whose needs it all satisfies", async () => {
    const worker = await newWorker();
    await want({ needs: ["agent:claude"] });
    await want({ needs: [], of: "another/repository" });
    const older = await want({ needs: ["agent:codex", "memory:8"] });
    const newer = await want({ needs: ["agent:codex"] });
    const labels = ["agent:codex", "memory:16"];
    expect(await take(worker, { labels })).toBe(older);
    expect(await take(worker, { labels, held: [older] })).toBe(newer);
    expect(await take(worker, { labels, held: [older, newer] })).toBeUndefined();
  });

  test("tasks of the oldest run first, also if that run is queued again after others", async () => {
    const worker = await newWorker();
    const [older, newer] = [await newRun(repo, 1), await newRun(repo, 2)];
    const other = await tasks.wantDrive(newer);
    const back = await tasks.wantDrive(older);
    expect(await take(worker, {})).toBe(back);
    expect(await take(worker, { held: [back] })).toBe(other);
  });

  test("only the kinds that it has capacity for", async () => {
    const worker = await newWorker();
    const run = await newRun(repo);
    const drive = await tasks.wantDrive(run);
    expect(await take(worker, { kinds: ["effect"] })).toBeUndefined();
    expect(await take(worker, { kinds: ["run"] })).toBe(drive);
  });

  test("without capacity for runs, only one whose worker died after starting it", async () => {
    const sleeper = await newWorker({ lapsed: true });
    const heir = await newWorker();
    const begun = await tasks.wantDrive(await newRun(repo, 2));
    expect(await take(sleeper, {})).toBe(begun);
    await tasks.wantDrive(await newRun(repo, 1));
    expect(await take(heir, { kinds: ["run:begun"] })).toBeUndefined();
    await reclaimFromDeadWorkers(
      { database, notices, leaseMs: 0, log: () => undefined, forget: async () => undefined },
      heir,
    );
    expect(await take(heir, { kinds: ["run:begun"] })).toBe(begun);
    expect(await take(heir, { kinds: ["run:begun"], held: [begun] })).toBeUndefined();
  });

  test("again the task that it took without getting the answer, before any other", async () => {
    const worker = await newWorker();
    const first = await want({});
    await want({});
    expect(await take(worker, {})).toBe(first);
    expect(await take(worker, {})).toBe(first);
  });

  test("nothing once it was declared dead, and its tasks are free", async () => {
    const sleeper = await newWorker({ lapsed: true });
    const heir = await newWorker();
    const id = await want({});
    expect(await take(sleeper, {})).toBe(id);
    // A lease of zero acts as if the server had been up for long.
    await reclaimFromDeadWorkers(
      { database, notices, leaseMs: 0, log: () => undefined, forget: async () => undefined },
      heir,
    );
    await want({});
    expect(await take(sleeper, {})).toBeUndefined();
    expect(await heartbeat().beat(sleeper)).toBe(false);
    expect(await take(heir, {})).toBe(id);
    await tasks.end(id, sleeper);
    expect(await tasks.isOpen(id)).toBe(true);
    await tasks.end(id, heir);
    expect(await tasks.isOpen(id)).toBe(false);
  });
});

test("tasks of an unknown worker are free after a lease, and not before", async () => {
  const heir = await newWorker();
  const id = await want({});
  await database.query("UPDATE tasks SET worker = 'nobody', taken_at = now_ms() - 10000 WHERE id = $1", [id]);
  const said: string[] = [];
  const parts = { database, notices, log: (line: string) => said.push(line), forget: async () => undefined };
  await reclaimFromDeadWorkers({ ...parts, leaseMs: 600_000 }, heir);
  expect(await take(heir, {})).toBeUndefined();
  await reclaimFromDeadWorkers({ ...parts, leaseMs: 5_000 }, heir);
  expect(said).toEqual([expect.stringContaining(id)]);
  expect(await take(heir, {})).toBe(id);
});

describe("unfinished work of a process", () => {
  const parts = () => ({ database, notices, leaseMs: 0, log: () => undefined, forget: async () => undefined });

  test("is reserved for that process while it lives, and free once it is dead", async () => {
    const [holder, other] = [await newWorker(), await newWorker()];
    const process = await processOf(holder);
    const id = await want({ needs: ["agent:codex"], near: process });
    const labels = ["agent:codex"];
    expect(await take(other, { labels })).toBeUndefined();
    await database.query("UPDATE workers SET until = now_ms() - 1 WHERE id = $1", [holder]);
    await reclaimFromDeadWorkers(parts(), other);
    expect(await tasks.list(id.replace(/\/.*/, ""))).toMatchObject([{ needs: ["agent:codex"] }]);
    expect(await take(other, { labels })).toBe(id);
  });

  test("is taken by that process, and unreserved if the process is already gone", async () => {
    const [holder, gone] = [await newWorker(), await newWorker({ lapsed: true })];
    const process = await processOf(holder);
    const mine = await want({ near: process });
    const anybodys = await want({ near: await processOf(gone) });
    expect(await take(holder, { labels: [`worker:${process}`] })).toBe(mine);
    expect(await take(await newWorker(), {})).toBe(anybodys);
  });

  async function processOf(worker: string): Promise<string> {
    const [row] = await database.query<{ process: string }>("SELECT process FROM workers WHERE id = $1", [worker]);
    return row?.process ?? "";
  }
});

describe("a task without a worker is withdrawn", () => {
  const claim = (id: string, fence?: number) => ({ run: id.replace(/\/.*/, ""), fence });

  test("once, and no worker takes it afterwards", async () => {
    const worker = await newWorker();
    const id = await want({});
    expect(await tasks.withdraw(id, claim(id))).toEqual({ begun: false });
    expect(await tasks.withdraw(id, claim(id))).toBeUndefined();
    expect(await take(worker, {})).toBeUndefined();
  });

  test("but not one that a worker has, nor for a claim that is not the newest", async () => {
    const worker = await newWorker();
    const id = await want({});
    expect(await tasks.withdraw(id, claim(id, 7))).toBeUndefined();
    expect(await take(worker, {})).toBe(id);
    expect(await tasks.withdraw(id, claim(id, 0))).toBeUndefined();
    expect(await tasks.isOpen(id)).toBe(true);
  });

  test("also if its worker died, together with its pending stop", async () => {
    const sleeper = await newWorker({ lapsed: true });
    const id = await want({});
    expect(await take(sleeper, {})).toBe(id);
    await database.query("INSERT INTO stops (workflow) VALUES ($1)", [id]);
    const parts = { database, notices, leaseMs: 0, log: () => undefined, forget: async () => undefined };
    await reclaimFromDeadWorkers(parts, await newWorker());
    expect(await tasks.withdraw(id, claim(id, 0))).toEqual({ begun: true });
    expect(await database.query("SELECT FROM stops WHERE workflow = $1", [id])).toEqual([]);
  });

  test("or taken, and never both, if both happen at once", async () => {
    const worker = await newWorker();
    const held: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      const id = await want({});
      const [withdrawn, taken] = await Promise.all([tasks.withdraw(id, claim(id)), take(worker, { held })]);
      expect([withdrawn !== undefined, taken === id].filter(Boolean)).toHaveLength(1);
      held.push(id);
    }
  });
});

describe("concurrent attempts never exceed the limit", () => {
  const other = () => `${repo}/other`;

  test("of the whole team", async () => {
    expect(await takenUnder({ global: 2 }, [{}, {}, { of: other() }, {}])).toBe(2);
  });

  test("of a repository, while another continues", async () => {
    expect(await takenUnder({ repository: 1 }, [{}, {}, { of: other() }, { of: other() }])).toBe(2);
  });

  test("of a driver, while others continue", async () => {
    const caps = { drivers: { codex: 1 } };
    const codex = { needs: ["agent:codex"] };
    expect(await takenUnder(caps, [codex, codex, { needs: ["agent:claude"] }, { needs: ["agent:claude"] }])).toBe(3);
  });

  test("also if ten workers take tasks at once", async () => {
    const workers = await Promise.all(Array.from({ length: 10 }, () => newWorker()));
    for (let n = 0; n < 10; n += 1) await want({});
    const taken = await Promise.all(workers.map((worker) => take(worker, { caps: { global: 3 } })));
    expect(taken.filter((id) => id !== undefined)).toHaveLength(3);
  });

  test("and a finished attempt frees its slot", async () => {
    const worker = await newWorker();
    const first = await want({});
    const second = await want({});
    const caps = { global: 1 };
    expect(await take(worker, { caps })).toBe(first);
    expect(await take(worker, { caps, held: [first] })).toBeUndefined();
    await tasks.end(first, worker);
    expect(await take(worker, { caps })).toBe(second);
  });

  async function takenUnder(caps: AttemptLimits, wanted: readonly Wanted[]): Promise<number> {
    const worker = await newWorker();
    for (const each of wanted) await want(each);
    const held: string[] = [];
    for (;;) {
      const id = await take(worker, { caps, held, repo: null, labels: ["agent:codex", "agent:claude"] });
      if (id === undefined) return held.length;
      held.push(id);
    }
  }
});

type Wanted = { readonly needs?: readonly string[]; readonly of?: string; readonly near?: string };

async function want({ needs = [], of = repo, near }: Wanted): Promise<string> {
  const run = await newRun(of);
  const id = `${run}/build@1`;
  await tasks.wantEffect({ id, run, needs, body: "{}", near });
  return id;
}

async function newRun(of: string, at = 0): Promise<string> {
  const id = randomUUID();
  await database.query("INSERT INTO runs (id, pipeline, repo, created_at) VALUES ($1, 'ledger', $2, $3)", [id, of, at]);
  return id;
}

type Taker = {
  readonly labels?: readonly string[];
  readonly kinds?: readonly TakenKind[];
  readonly caps?: AttemptLimits;
  readonly held?: readonly string[];
  readonly repo?: string | null;
};

async function take(worker: string, by: Taker): Promise<string | undefined> {
  const usual = { repo, labels: [], caps: {}, kinds: ["run", "effect"] as const, held: [] };
  return (await tasks.take({ ...usual, ...by, worker }))?.id;
}

async function newWorker({ lapsed = false } = {}): Promise<string> {
  const worker = randomUUID();
  await heartbeat().begin(worker);
  if (lapsed) await database.query("UPDATE workers SET until = now_ms() - 1 WHERE id = $1", [worker]);
  return worker;
}

function heartbeat(): Heartbeat {
  const offer = { machine: "here", repo, labels: [], concurrency: null, version: "1" };
  return createHeartbeat({ database, process: randomUUID(), offer, leaseMs: 600_000 });
}
