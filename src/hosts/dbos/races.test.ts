import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { often } from "../../../test/often.ts";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { openTeam } from "./open-team.ts";
import { startWorkerProcess } from "./worker-process.fixture.ts";

const RACES = often(100, 500);
const AT_ONCE = 20;
/** Numbers from docs/guides/team.md; the second includes the counting connection. */
const OF_A_WORKER = 10;
const OF_A_READER = 6;

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

test(`of two workers that want a run one gets it, ${RACES} times`, async () => {
  const url = await server.team("races");
  const host = await openTeam({ url, world: createHeldWorld() });
  const workers = [startWorkerProcess("race-worker.ts", [url]), startWorkerProcess("race-worker.ts", [url])];
  try {
    await Promise.all(workers.map((worker) => worker.says("serving")));
    const runs = Array.from({ length: RACES }, (_, index) => `run-${index}`);
    for (let from = 0; from < RACES; from += AT_ONCE) {
      const wave = runs.slice(from, from + AT_ONCE);
      await Promise.all(wave.map((id) => host.runs.create({ id, pipeline: "ledger", repo: "/repo" })));
      await Promise.all(wave.map((id) => host.team.submit(id, [])));
      await expect.poll(() => host.team.tasks(), { timeout: 300_000 }).toEqual([]);
    }
    const driven = workers.flatMap(({ said }) => said.filter((line) => line.startsWith("drive ")));
    expect(driven.toSorted()).toEqual(runs.map((run) => `drive ${run}`).toSorted());
    expect(await connectionsTo(url)).toBeLessThanOrEqual(workers.length * OF_A_WORKER + OF_A_READER);
    for (const { said } of workers) expect(said.length).toBeGreaterThan(1);
  } finally {
    for (const { child } of workers) child.kill("SIGKILL");
    await host.close();
  }
});

async function connectionsTo(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT count(*) AS open FROM pg_stat_activity WHERE datname = current_database()",
  );
  await client.end();
  return Number(rows[0].open);
}
