import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { hostSuite } from "../host.suite.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { createDbosHost } from "./host.ts";

let server: TestPostgres;
let url = "";
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("suite");
});
afterAll(() => server.stop());

hostSuite("dbos", async () => {
  const open = () => createDbosHost({ url, world: createHeldWorld() });
  const host = await open();
  const others: Awaited<ReturnType<typeof open>>[] = [];
  return {
    host,
    // DBOS is a singleton: the second handle reads, claims and appends, and does not serve.
    another: async () => {
      const other = await open();
      others.push(other);
      return other;
    },
    // Leases follow the database's clock, which tests cannot move, so their ends are moved instead.
    lapse: () => execute("UPDATE signalbox.runs SET lease_until = signalbox.now_ms() - 1 WHERE owner IS NOT NULL"),
    close: async () => {
      await Promise.all([host, ...others].map((one) => one.close()));
    },
  };
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
