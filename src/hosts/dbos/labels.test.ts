import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { findNeededDriver, listMissingLabels } from "./labels.ts";
import { type Database, openPostgres } from "./tables/database.ts";

let server: TestPostgres;
let database: Database;
beforeAll(async () => {
  server = await startPostgres();
  const url = await server.team("labels");
  database = await openPostgres({ url, schema: "signalbox", connections: 1, patienceMs: 0 });
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

const LABELS = ["agent:codex", "memory:16", "gpu", "pipeline:ledger@0a1b", "cores:08", "serial:00001111222233334444"];

test.each([
  [[], []],
  [["agent:codex", "gpu"], []],
  [["agent:claude", "gpu"], ["agent:claude"]],
  [["memory:8"], []],
  [["memory:16", "cores:8"], []],
  [["memory:32"], ["memory:32"]],
  [["memory:9999999999999999999999"], ["memory:9999999999999999999999"]],
  [["memory:999999999999999"], ["memory:999999999999999"]],
  [["serial:00001111222233334444"], []],
  [["serial:00001111222233334443"], ["serial:00001111222233334443"]],
  [["memory"], ["memory"]],
  [["pipeline:ledger@0a1c"], ["pipeline:ledger@0a1c"]],
  [["disk:1"], ["disk:1"]],
])("needs %j leave %j unmatched, and the database agrees", async (needs, missing) => {
  expect(listMissingLabels(needs, LABELS)).toEqual(missing);
  const [row] = await database.query<{ yes: boolean }>("SELECT offered($1, $2) AS yes", [needs, LABELS]);
  expect(row?.yes).toBe(missing.length === 0);
});

test("a number that is too long is treated as text and fails no query for tasks", async () => {
  const needs = [`memory:${"9".repeat(140_000)}`];
  expect(listMissingLabels(needs, LABELS)).toEqual(needs);
  expect(await database.query("SELECT offered($1, $2) AS yes", [needs, LABELS])).toEqual([{ yes: false }]);
});

test("the driver is the agent that is needed, if any", () => {
  expect(findNeededDriver(["gpu", "agent:codex"])).toBe("codex");
  expect(findNeededDriver(["gpu"])).toBeNull();
});
