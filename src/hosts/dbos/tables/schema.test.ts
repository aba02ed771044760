import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/support/postgres.ts";
import { createHeldWorld } from "../../suite/held-world.ts";
import { createDbosHost } from "../host.ts";
import { migrateTeam } from "../migrate-team.ts";
import { openTeam } from "../open-team.ts";
import { SCHEMA } from "./schema.ts";

const world = createHeldWorld();
const nothing = () => Promise.reject(new Error("nothing is performed here"));
let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describe("the tables", () => {
  test("are created only by migrate, and a second run does no harm", async () => {
    const url = await server.database("first");
    for (const open of [openTeam, createDbosHost]) {
      await expect(open({ url, world })).rejects.toMatchObject({
        code: "SCHEMA_OLD",
        hint: expect.stringContaining("signalbox migrate"),
      });
    }
    expect(await migrateTeam(url)).toEqual({ from: 0, to: SCHEMA });
    expect(await migrateTeam(url)).toEqual({ from: SCHEMA, to: SCHEMA });
    await (await openTeam({ url, world })).close();
  });

  test("of an older or a newer Signalbox are refused and left unchanged", async () => {
    const url = await server.team("versions");
    await execute(url, `DELETE FROM signalbox.migrations WHERE version = ${SCHEMA}`);
    await expect(openTeam({ url, world })).rejects.toMatchObject({
      code: "SCHEMA_OLD",
      message: expect.stringContaining(`schema version ${SCHEMA - 1}`),
    });
    await execute(url, `INSERT INTO signalbox.migrations (version, at) VALUES (${SCHEMA}, now()), (999, now())`);
    for (const open of [() => openTeam({ url, world }), () => createDbosHost({ url, world }), () => migrateTeam(url)]) {
      await expect(open()).rejects.toMatchObject({ code: "SCHEMA_NEWER", message: expect.stringContaining("999") });
    }
  });

  test("that were changed under a worker keep it from taking tasks, and it logs that", async () => {
    const url = await server.team("changed");
    const said: string[] = [];
    const host = await createDbosHost({ url, world, leaseMs: 300, log: (line) => said.push(line) });
    try {
      await host.serve({ drive: async () => ({ status: "done", exit: 0 }), perform: nothing, recover: nothing });
      await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
      await execute(url, "INSERT INTO signalbox.migrations (version, at) VALUES (999, now())");
      await host.team.submit("run-1", []);
      await expect.poll(() => said.join()).toContain("newer than this Signalbox");
      expect(await host.team.tasks()).toMatchObject([{ worker: null }]);
    } finally {
      await host.close();
    }
  });

  test("work after five concurrent migrations of an empty database and ten concurrent opens", async () => {
    const url = await server.database("at_once");
    await Promise.all(Array.from({ length: 5 }, () => migrateTeam(url)));
    const hosts = await Promise.all(Array.from({ length: 10 }, () => openTeam({ url, world })));
    await hosts[0]?.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
    expect(await hosts[9]?.runs.get("run-1")).toMatchObject({ id: "run-1" });
    for (const host of hosts) await host.close();
  });
});

/** The form of real run ids. */
const RUN = "20200101-000000-aaaaaa";

describe("a role", () => {
  test("that may not create tables cannot migrate, and one without rights cannot open", async () => {
    const url = await server.team("rights");
    const bare = await server.database("bare");
    await execute(url, "CREATE ROLE nobody_much LOGIN PASSWORD 'secret-word'");
    const as = (address: string) => address.replace("postgres:postgres@", "nobody_much:secret-word@");
    const own = { url: as(url), world };
    for (const refused of [() => migrateTeam(as(bare)), () => openTeam(own), () => createDbosHost(own)]) {
      const error = await refused().then(() => undefined, String);
      expect(error).toContain("lacks a permission");
      expect(error).not.toContain("secret-word");
    }
  });

  test("of a member submits, reads and posts, but cannot act as a worker", async () => {
    const url = await server.team("people");
    await execute(url, "CREATE ROLE eve LOGIN PASSWORD 'secret-word' IN ROLE signalbox_member");
    const own = url.replace("postgres:postgres@", "eve:secret-word@");
    await expect(createDbosHost({ url: own, world })).rejects.toMatchObject({
      code: "DATABASE_DENIED",
      hint: expect.stringContaining('GRANT signalbox_worker TO "eve";'),
    });
    const host = await openTeam({ url: own, world });
    try {
      const start = `ARRAY['{"type":"run.started"}']`;
      await execute(own, `SELECT signalbox.create_run('${RUN}', 'ledger', '/repo', ${start}, NULL)`);
      expect(await host.runs.get(RUN)).toMatchObject({ submitter: "eve" });
      await host.team.notes.put(RUN, {});
      await host.team.submit(RUN, []);
      expect(await host.inbox.post(RUN, { kind: "cancel", by: "eve" })).toBeUndefined();
      expect(await host.team.workers()).toEqual([]);
    } finally {
      await host.close();
    }
    for (const forged of [
      `INSERT INTO signalbox.journal (run, seq, record) VALUES ('${RUN}', 1, '{}')`,
      `INSERT INTO signalbox.anvil_checks (run_id, phase, check_name, passed, ts) VALUES ('${RUN}', 'after', 'x', 1, 'now')`,
      "INSERT INTO signalbox.runs (id, pipeline, repo, created_at) VALUES ('run-2', 'p', 'r', 1)",
      "UPDATE signalbox.runs SET status = 'done'",
      `INSERT INTO signalbox.tasks (id, kind, run, repo, needs, body, at, run_at) VALUES ('t', 'effect', '${RUN}', '/repo', '{}', '', 1, 1)`,
      "UPDATE signalbox.inbox SET read_at = 1",
      `SET search_path = signalbox; SELECT append_records('${RUN}', 'eve', 0, 1, '{x}', NULL, NULL, NULL, NULL)`,
      "SET search_path = signalbox; SELECT insert_ledger('{}')",
      "UPDATE signalbox.tasks SET body = 'another'",
      "DELETE FROM signalbox.tasks",
      "DELETE FROM signalbox.effects",
      "INSERT INTO signalbox.effects (id, begun_at) VALUES ('e', 1)",
      "UPDATE signalbox.effects SET by_nonce = 'eve 1'",
      "INSERT INTO signalbox_dbos.workflow_status (workflow_uuid) VALUES ('w')",
      "INSERT INTO signalbox.stops (workflow) VALUES ('w')",
      "UPDATE signalbox.workers SET dead = TRUE",
      `INSERT INTO signalbox.spools (run, path, at, bytes, body) VALUES ('${RUN}', 'p', 1, 1, '')`,
      "INSERT INTO signalbox.blobs (digest, body) VALUES ('d', '')",
      "UPDATE signalbox_dbos.workflow_status SET output = 'done'",
    ])
      await expect(execute(own, forged), forged).rejects.toThrow("permission denied");
  });

  test("of a worker works, but cannot change records", async () => {
    const url = await server.team("members");
    await execute(url, "CREATE ROLE grace LOGIN PASSWORD 'secret-word' IN ROLE signalbox_worker");
    const own = url.replace("postgres:postgres@", "grace:secret-word@");
    const host = await createDbosHost({ url: own, world });
    try {
      await host.serve({
        drive: async () => ({ status: "done", exit: 0 }),
        perform: nothing,
        recover: nothing,
      });
      await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
      expect(await host.drive("run-1")).toEqual({ status: "done", exit: 0 });
      await host.inbox.post("run-1", { kind: "cancel", by: "ada" });
      expect(await host.inbox.unread("run-1")).toMatchObject([{ role: "grace", letter: { by: "ada" } }]);
      await expect(execute(own, "DELETE FROM signalbox.journal")).rejects.toThrow("permission denied");
      await expect(execute(own, "UPDATE signalbox.inbox SET role = 'postgres'")).rejects.toThrow("never changed");
    } finally {
      await host.close();
    }
  });
});

describe("the trust of a member", () => {
  test("is signed with the role that he logged in as, and is permanent", async () => {
    const url = await server.team("trust");
    await execute(url, "CREATE ROLE mallory LOGIN PASSWORD 'secret-word' IN ROLE signalbox_member");
    const own = url.replace("postgres:postgres@", "mallory:secret-word@");
    await execute(
      own,
      "INSERT INTO signalbox.trust (repo, hash, by_name, role, at) VALUES ('r', 'h', 'ada', 'postgres', 1)",
    );
    expect(await execute(own, "SELECT by_name, role FROM signalbox.trust")).toEqual([
      { by_name: "ada", role: "mallory" },
    ]);
    for (const change of ["UPDATE signalbox.trust SET role = 'postgres'", "DELETE FROM signalbox.trust"]) {
      await expect(execute(own, change)).rejects.toThrow("permission denied");
      await expect(execute(url, change)).rejects.toThrow("never changed");
    }
  });
});

describe("an address", () => {
  test.each([
    ["postgres://ada:secret@127.0.0.1:1/nowhere", "postgres://ada@127.0.0.1:1/nowhere"],
    ["mysql://ada:secret@127.0.0.1/db", "not a Postgres address"],
    ["ada:secret@somewhere", "not a Postgres address"],
  ])("that is invalid or unreachable is named without its password: %s", async (url, words) => {
    for (const refused of [() => openTeam({ url, world }), () => migrateTeam(url)]) {
      const error = await refused().catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: "DATABASE_UNREACHABLE", message: expect.stringContaining(words) });
      expect(`${error} ${JSON.stringify(error)}`).not.toContain("secret");
    }
  });

  test("with a wrong password or an unknown database gets a message that names the problem", async () => {
    const wrong = server.url.replace("postgres:postgres@", "postgres:wrong-word@");
    await expect(openTeam({ url: wrong, world })).rejects.toThrow("password authentication failed");
    const absent = server.url.replace(/\/postgres$/, "/absent");
    await expect(openTeam({ url: absent, world })).rejects.toThrow('database "absent" does not exist');
  });
});

async function execute(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
