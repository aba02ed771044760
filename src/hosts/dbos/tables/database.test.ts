import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/support/postgres.ts";
import { createHeldWorld } from "../../suite/held-world.ts";
import { createDbosHost } from "../host.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

test("an unreachable server is named without its password", async () => {
  const url = "postgres://ada:secret@127.0.0.1:1/nowhere";
  const refused = await createDbosHost({ url, world: createHeldWorld() }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: "DATABASE_UNREACHABLE",
    message: expect.stringContaining("127.0.0.1:1/nowhere"),
  });
  expect(String(refused)).not.toContain("secret");
});

test("a rule reads the four tables and nothing else, for a limited time", async () => {
  const url = await server.team("rules");
  const host = await createDbosHost({ url, world: createHeldWorld() });
  const refused = [
    "SELECT id AS actual FROM runs",
    "SELECT letter AS actual FROM inbox",
    "SELECT pg_read_file('/etc/passwd') AS actual",
    "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM (SELECT pg_sleep(60)) slow",
  ];
  for (const sql of refused) {
    await expect(host.ledger.ask(sql, {}), sql).rejects.toMatchObject({ code: "RULE_INVALID" });
  }
  const count = "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks";
  expect(await host.ledger.ask(`${count}; -- all of them`, {})).toEqual({ actual: 0 });
  await host.close();
});

test("records cannot be changed or deleted, not even manually", async () => {
  const url = await server.team("fixed");
  const host = await createDbosHost({ url, world: createHeldWorld() });
  await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
  await execute(url, "INSERT INTO signalbox.journal (run, seq, record) VALUES ('run-1', 1, '{}')");
  await expect(execute(url, "DELETE FROM signalbox.journal")).rejects.toThrow("never changed");
  await expect(execute(url, "UPDATE signalbox.journal SET record = ''")).rejects.toThrow("never changed");
  await host.close();
});

test("a host continues after the server cuts its connections", async () => {
  const url = await server.team("cut");
  const host = await createDbosHost({ url, world: createHeldWorld() });
  await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
  const changed = host.inbox.changed("run-1", new AbortController().signal);
  await execute(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'signalbox%'");
  await expect
    .poll(() => host.inbox.post("run-1", { kind: "cancel", by: "ada" }).then(() => "posted", String), {
      timeout: 30_000,
    })
    .toBe("posted");
  await changed;
  await host.close();
});

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
