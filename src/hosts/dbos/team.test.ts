import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { openTeam, type TeamHost } from "./open-team.ts";
import { SPOOL_BYTES } from "./team/spools.ts";

let server: TestPostgres;
let url: string;
let host: TeamHost;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("team");
  host = await openTeam({ url, world: createHeldWorld() });
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

describe("a handle without a worker", () => {
  test("submits a run once, however often it is called, and lists the needs it waits for", async () => {
    await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "host/a/b" });
    await host.team.submit("run-1", ["pipeline:ledger@abc"]);
    await host.team.submit("run-1", ["pipeline:ledger@abc"]);
    expect(await host.team.tasks("run-1")).toMatchObject([
      { kind: "run", run: "run-1", needs: ["pipeline:ledger@abc"], worker: null },
    ]);
    expect(await host.team.workers()).toEqual([]);
    await expect(host.team.submit("run-nowhere", [])).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });

  test("performs nothing", async () => {
    const handlers = { drive: never, perform: never, recover: never };
    await expect(host.serve(handlers)).rejects.toMatchObject({ code: "INTERNAL" });
  });
});

describe("data of a team", () => {
  test("notes can be stored before the run exists, and the newest come first", async () => {
    expect(await host.team.notes.get("run-2")).toEqual([]);
    await host.team.notes.put("run-2", { agents: { agent: ["codex"] } });
    await host.team.notes.put("run-2", { agents: { agent: [] } });
    expect(await host.team.notes.get("run-2")).toEqual([{ agents: { agent: [] } }, { agents: { agent: ["codex"] } }]);
  });

  test("the newest version of a spool counts, and only the end of a long one is stored", async () => {
    await host.team.spools.put("run-2", "a/out", Buffer.from("first"));
    await host.team.spools.put("run-2", "a/out", Buffer.from([0, 255, 10]));
    const long = Buffer.concat([Buffer.from("begin"), Buffer.alloc(SPOOL_BYTES, "x"), Buffer.from("end")]);
    await host.team.spools.put("run-2", "b/out", long);
    expect(await host.team.spools.list("run-2")).toMatchObject([
      { path: "a/out", bytes: 3 },
      { path: "b/out", bytes: long.length },
    ]);
    expect([...((await host.team.spools.get("run-2", "a/out")) ?? [])]).toEqual([0, 255, 10]);
    const kept = Buffer.from((await host.team.spools.get("run-2", "b/out")) ?? []);
    expect(kept).toHaveLength(SPOOL_BYTES);
    expect(kept.subarray(-3).toString()).toBe("end");
    expect(await host.team.spools.get("run-2", "c/out")).toBeUndefined();
  });

  test("trust is for one repository and one hash", async () => {
    await host.team.trust.record("host/a/b", "hash-1", "ada");
    await host.team.trust.record("host/a/b", "hash-1", "grace");
    expect(await host.team.trust.knows("host/a/b", "hash-1")).toBe(true);
    expect(await host.team.trust.knows("host/a/b", "hash-2")).toBe(false);
    expect(await host.team.trust.knows("host/a/c", "hash-1")).toBe(false);
  });
});

describe("a row that was written manually", () => {
  test("and is no valid signal does not block reading and posting others", async () => {
    await host.runs.create({ id: "run-3", pipeline: "ledger", repo: "host/a/b" });
    for (const text of ["null", "garbage", '{"kind":"burn"}'])
      await execute(`INSERT INTO signalbox.inbox (run, at, letter) VALUES ('run-3', 1, '${text}')`);
    expect(await host.inbox.post("run-3", { kind: "cancel", by: "postgres" })).toBeUndefined();
    const kinds = (await host.inbox.unread("run-3")).map(({ letter }) => letter.kind);
    expect(kinds).toEqual(["dropped", "dropped", "dropped", "cancel"]);
  });

  test("with invalid JSON notes is returned as text", async () => {
    await execute("INSERT INTO signalbox.notes (run, body) VALUES ('run-4', '{broken')");
    expect(await host.team.notes.get("run-4")).toEqual(["{broken"]);
  });

  test("for a worker with an endless lease is refused, and one with a long lease is listed", async () => {
    const worker = (until: string) =>
      `INSERT INTO signalbox.workers (id, process, machine, labels, version, since, until)
       VALUES ('w', 'w', 'm', '{}', '1', 0, ${until})`;
    await expect(execute(worker("9223372036854775807"))).rejects.toThrow("check constraint");
    await execute(worker("253402300799999"));
    expect(await host.team.workers()).toMatchObject([{ id: "w" }]);
    await host.team.submit("run-3", []);
    await execute("UPDATE signalbox.tasks SET worker = 'w' WHERE run = 'run-3'");
    expect(await host.team.holders("run-3")).toMatchObject([{ id: "w", dead: false }]);
    await execute("DELETE FROM signalbox.workers");
  });
});

describe("a person's ledger query", () => {
  test("returns all its rows with their columns", async () => {
    const { columns, rows } = await host.team.rows("SELECT 1 AS one, 'a' AS two UNION ALL SELECT 2, NULL ORDER BY 1;");
    expect({ columns, rows }).toEqual({
      columns: ["one", "two"],
      rows: [
        [1, "a"],
        [2, null],
      ],
    });
  });

  test("has columns even without rows, and keeps duplicate column names", async () => {
    const none = "SELECT run_id, passed FROM anvil_checks WHERE false";
    expect(await host.team.rows(none)).toEqual({ columns: ["run_id", "passed"], rows: [], truncated: false });
    const twice = await host.team.rows("SELECT 1 AS n, 2 AS n");
    expect(twice).toEqual({ columns: ["n", "n"], rows: [[1, 2]], truncated: false });
  });

  test("reports that there are more rows than returned", async () => {
    const many = (rows: number) => host.team.rows(`SELECT n FROM generate_series(1, ${rows}) AS n`);
    expect(await many(1_000)).toMatchObject({ rows: { length: 1_000 }, truncated: false });
    expect(await many(1_001)).toMatchObject({ rows: { length: 1_000 }, truncated: true });
  });

  test("reads the four tables and writes nothing", async () => {
    for (const sql of ["SELECT id FROM runs", "DELETE FROM anvil_checks", "SELECT nextval('nothing')"]) {
      await expect(host.team.rows(sql), sql).rejects.toMatchObject({
        code: "USAGE",
        hint: expect.stringContaining("has the tables anvil_checks, "),
      });
    }
  });
});

async function execute(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const never = () => Promise.reject(new Error("never called"));
