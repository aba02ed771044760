import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { askLedger } from "./ask.ts";

const PATIENCE_MS = 20_000;
const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";

function ledger(): string {
  const folder = mkdtempSync(join(tmpdir(), "asked-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "ledger.db");
  const db = new DatabaseSync(file);
  db.exec("CREATE TABLE anvil_checks (task_id TEXT, passed INTEGER); CREATE TABLE pipeline_telemetry (step TEXT)");
  db.exec("INSERT INTO anvil_checks VALUES ('task-01', 1), ('task-02', 0), ('ключ 🔑', NULL)");
  db.close();
  return file;
}

/** Generous, because the test is about the answer and not about the load of the machine. */
const ask = (sql: string, more: { file?: string; limitRows?: number } = {}) =>
  askLedger({ file: more.file ?? ledger(), sql, timeoutMs: PATIENCE_MS, ...more });

test("a query is answered with its columns and rows", async () => {
  expect(await ask("SELECT task_id, passed FROM anvil_checks ORDER BY rowid")).toEqual({
    columns: ["task_id", "passed"],
    rows: [
      ["task-01", 1],
      ["task-02", 0],
      ["ключ 🔑", null],
    ],
    truncated: false,
  });
});

test("columns with the same name, blobs and numbers beyond JSON keep their values", async () => {
  const answer = await ask("SELECT x'00ff' AS a, 9007199254740993 AS a, 1.5 AS a, 9e999 AS a, NULL AS a;");
  expect(answer.columns).toEqual(["a", "a", "a", "a", "a"]);
  expect(answer.rows).toEqual([["x'00ff'", "9007199254740993", 1.5, "Infinity", null]]);
});

test("grouping, window functions, JSON and recursive queries are available", async () => {
  const sql = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3)
    SELECT x, sum(x) OVER (ORDER BY x), json_extract('{"a":7}', '$.a'), (SELECT group_concat(value) FROM json_each('[1,2]'))
    FROM n WHERE EXISTS (SELECT 1 FROM anvil_checks WHERE task_id LIKE 'task%') -- the end`;
  expect((await ask(sql)).rows.at(-1)).toEqual([3, 6, 7, "1,2"]);
  expect((await ask("SELECT count(*) FROM sqlite_schema")).rows).toEqual([[2]]);
});

test.each([
  ["an insert", "INSERT INTO anvil_checks VALUES ('x', 1)"],
  ["an insert that returns rows", "INSERT INTO anvil_checks VALUES ('x', 1) RETURNING task_id"],
  ["an update", "UPDATE anvil_checks SET passed = 1"],
  ["a dropped table", "DROP TABLE anvil_checks"],
  ["a temporary table", "CREATE TEMP TABLE t AS SELECT 1"],
  ["a pragma", "PRAGMA journal_mode = DELETE"],
  ["a pragma as a table", "SELECT * FROM pragma_table_info('anvil_checks')"],
  ["a counted pragma", "SELECT count(*) FROM pragma_database_list"],
  ["an attached file", "ATTACH '/etc/passwd' AS other"],
  ["a transaction", "BEGIN IMMEDIATE"],
  ["an extension", "SELECT load_extension('x')"],
  ["a function off the list", "SELECT randomblob(10)"],
  ["a second query", "SELECT 1; SELECT 2"],
  ["no query", "-- nothing"],
  ["a table of the library", "SELECT name FROM dbstat"],
  ["a missing table", "SELECT * FROM nowhere"],
])("%s is refused, and the hint names the tables", async (_, sql) => {
  const file = ledger();
  await expect(ask(sql, { file })).rejects.toMatchObject({
    code: "USAGE",
    hint: expect.stringContaining("anvil_checks, pipeline_telemetry"),
  });
  expect((await ask("SELECT count(*), sum(passed) FROM anvil_checks", { file })).rows).toEqual([[3, 1]]);
});

test("VACUUM INTO another file writes nothing", async () => {
  const file = ledger();
  const copy = join(dirname(file), "copy.db");
  await expect(ask(`VACUUM INTO '${copy}'`, { file })).rejects.toMatchObject({ code: "USAGE" });
  await expect(ask("VACUUM", { file })).rejects.toMatchObject({ code: "USAGE" });
  expect(existsSync(copy)).toBe(false);
  expect(readdirSync(dirname(file))).toEqual(["ledger.db"]);
});

test("a query that never ends is stopped at the timeout", async () => {
  const started = performance.now();
  await expect(askLedger({ file: ledger(), sql: ENDLESS, timeoutMs: 1_500 })).rejects.toMatchObject({
    code: "USAGE",
    message: expect.stringContaining("1.5 s"),
  });
  const took = performance.now() - started;
  expect(took).toBeGreaterThan(1_400);
});

test("a reader that its parent never kills terminates itself", async () => {
  const reader = spawn(process.execPath, [join(import.meta.dirname, "reader.ts")], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  reader.stdin.end(JSON.stringify({ file: ledger(), sql: ENDLESS, limitRows: 1, timeoutMs: 300 }));
  expect(await once(reader, "exit")).toEqual([null, "SIGKILL"]);
});

test("rows above the limit are omitted, and the answer is marked as truncated", async () => {
  const sql = "SELECT task_id FROM anvil_checks";
  expect(await ask(sql, { limitRows: 2 })).toMatchObject({ rows: [["task-01"], ["task-02"]], truncated: true });
  expect(await ask(sql, { limitRows: 3 })).toMatchObject({ truncated: false });
});

test("an endless result is cut at the default number of rows", async () => {
  const answer = await ask("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n");
  expect(answer.rows).toHaveLength(1_000);
  expect(answer.truncated).toBe(true);
});

test("long texts and many of them are cut before they fill the memory", async () => {
  const long = await ask("SELECT printf('%.*c', 300000, 'x'), hex(printf('%.*c', 10, 'y'))");
  expect(String(long.rows[0]?.[0])).toHaveLength(100_000);
  expect(long).toMatchObject({ truncated: true, rows: [[expect.anything(), "79".repeat(10)]] });
  const many =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT printf('%.*c', 90000, 'x') FROM n";
  const answer = await ask(many, { limitRows: 1_000_000 });
  expect(answer.truncated).toBe(true);
  expect(answer.rows.length).toBeLessThan(60);
  const wide = `SELECT ${Array.from({ length: 1_000 }, () => "printf('%.*c', 90000, char(1))").join(", ")}`;
  expect(JSON.stringify(await ask(wide)).length).toBeLessThan(5_000_000);
});

test("a query that exceeds the memory limit is stopped", async () => {
  const sql =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT printf('%.*c', 9999, x) FROM n ORDER BY -x";
  await expect(ask(sql)).rejects.toMatchObject({ code: "USAGE", message: expect.stringContaining("memory") });
});

test("a ledger can be queried while its writer holds it open", async () => {
  const file = ledger();
  const writer = new DatabaseSync(file);
  writer.exec(
    "PRAGMA journal_mode = WAL; INSERT INTO anvil_checks VALUES ('late', 1); BEGIN IMMEDIATE; DELETE FROM anvil_checks",
  );
  expect((await ask("SELECT count(*) FROM anvil_checks", { file })).rows).toEqual([[4]]);
  writer.close();
});

test("a file that is missing or not a database is refused with the reason", async () => {
  const file = ledger();
  await expect(ask("SELECT 1", { file: `${file}-none` })).rejects.toMatchObject({ code: "USAGE" });
  writeFileSync(file, "no database at all, only some text that is long enough".repeat(40));
  await expect(ask("SELECT 1", { file })).rejects.toMatchObject({ code: "DATABASE_DAMAGED" });
});
