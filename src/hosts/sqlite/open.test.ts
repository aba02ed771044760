import { createHash } from "node:crypto";
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { createCheckRow, createStep, stampRecords } from "../suite/facts.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { startOtherProcess } from "./fixtures/start.ts";
import { createSqliteHost } from "./host.ts";
import { migrateDatabase } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openSqlite } from "./open.ts";

/** Released migrations never change; a new one adds its hash here. */
const HASHES = ["5f6583ae843c70f0aad23ad5eb6df98e6149290bdf0761e727227598cdda8570"];

const PAGE = 4096;
const world = createHeldWorld();

describe("migrations", () => {
  test("are exactly the released ones", () => {
    expect(MIGRATIONS.map((sql) => createHash("sha256").update(sql).digest("hex"))).toEqual(HASHES);
  });

  test("a second opening changes nothing", () => {
    const file = newFile();
    const first = openSqlite({ file, world });
    const schema = schemaOf(first);
    openSqlite({ file, world }).close();
    expect(schemaOf(first)).toEqual(schema);
    expect(first.prepare("SELECT version FROM migrations").all()).toEqual([{ version: 1 }]);
    first.close();
  });

  test("ten processes that open a new file at once all succeed", async () => {
    const file = newFile();
    const ends = await Promise.all(Array.from({ length: 10 }, () => startOtherProcess("open", file).ended));
    expect(ends.map((end) => end.code)).toEqual(Array(10).fill(0));
    const db = openSqlite({ file, world });
    expect(db.prepare("SELECT COUNT(*) AS n FROM migrations").get()).toEqual({ n: MIGRATIONS.length });
    db.close();
  });

  test("a failing migration leaves the file as it was", () => {
    const file = newFile();
    const db = openSqlite({ file, world });
    const schema = schemaOf(db);
    const broken = [...MIGRATIONS, "CREATE TABLE half (a); CREATE TABLE half (a)"];
    expect(() => migrateDatabase({ db, file, now: 0, migrations: broken })).toThrow("half");
    expect(schemaOf(db)).toEqual(schema);
    migrateDatabase({ db, file, now: 0, migrations: [...MIGRATIONS, "CREATE TABLE whole (a)"] });
    expect(db.prepare("SELECT MAX(version) AS version FROM migrations").get()).toEqual({ version: 2 });
    db.close();
    expect(() => openSqlite({ file, world })).toThrow(expect.objectContaining({ code: "DATABASE_NEWER" }));
  });
});

test("a record stored under another type than its own is damaged data", async () => {
  const file = newFile();
  const host = createSqliteHost({ file, world });
  await host.runs.create({ id: "r", pipeline: "p", repo: "/repo" }, stampRecords("r", 1, [createStep(1)]));
  const db = new DatabaseSync(file);
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
    db.exec(`DROP TRIGGER "${name}"`);
  db.exec("UPDATE journal SET type = 'step.finishee'");
  db.close();
  await expect(host.journal.load("r")).rejects.toThrow(expect.objectContaining({ code: "JOURNAL_DAMAGED" }));
  await host.close();
});

describe("opening", () => {
  test("[L-35] commits are made to survive power loss", () => {
    const db = openSqlite({ file: newFile(), world });
    const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(["journal_mode", "synchronous", "busy_timeout", "foreign_keys"].map(pragma)).toEqual(["wal", 2, 5_000, 1]);
    db.close();
  });

  test("a file that is no database is refused and left unchanged", () => {
    const file = newFile();
    writeFileSync(file, "not a database, but long enough to look at ".repeat(200));
    const size = statSync(file).size;
    expect(() => openSqlite({ file, world })).toThrow(expect.objectContaining({ code: "DATABASE_DAMAGED" }));
    expect(statSync(file).size).toBe(size);
  });

  test("another program's database is refused and left unchanged", () => {
    const file = newFile();
    const theirs = new DatabaseSync(file);
    theirs.exec("CREATE TABLE anvil_checks (id INTEGER)");
    expect(() => openSqlite({ file, world })).toThrow(expect.objectContaining({ code: "DATABASE_DAMAGED" }));
    expect(schemaOf(theirs)).toHaveLength(1);
    theirs.close();
  });

  test("a file in a missing folder is refused with what to check", () => {
    const file = join(newFile(), "nowhere", "signalbox.db");
    expect(() => openSqlite({ file, world })).toThrow(expect.objectContaining({ code: "DATABASE_UNREACHABLE" }));
  });

  test("[L-35] an overwritten page is found on opening, wherever it is", async () => {
    const file = newFile();
    const host = createSqliteHost({ file, world });
    await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
    const result = await host.runs.claim("run-1", "engine-a");
    if (!result.won) throw new Error("nobody else is here");
    const facts = Array.from({ length: 200 }, (_, n) => createStep(n, [createCheckRow({ task_id: `t${n}` })]));
    await host.journal.append(result.lease, stampRecords("run-1", 1, facts));
    await host.close();
    const pages = statSync(file).size / PAGE;
    expect(pages).toBeGreaterThan(20);
    for (let page = 0; page < pages; page++) {
      const copy = newFile();
      copyFileSync(file, copy);
      overwrite(copy, page);
      expect(() => openSqlite({ file: copy, world }), `page ${page}`).toThrow(
        expect.objectContaining({ code: "DATABASE_DAMAGED" }),
      );
    }
  });
});

describe("the file", () => {
  test("is an ordinary database whose journal and evidence cannot be changed by accident", async () => {
    const file = newFile();
    const host = createSqliteHost({ file, world });
    await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
    const result = await host.runs.claim("run-1", "engine-a");
    if (!result.won) throw new Error("nobody else is here");
    const rows = [
      createCheckRow(),
      { table: "pipeline_telemetry", values: { step: "1", agent: "a", started_at: "t" } },
      {
        table: "artifact_evaluations",
        values: { evaluator_agent: "a", artifact_path: "p", usefulness_score: 1, clarity_score: 1 },
      },
      {
        table: "instruction_updates",
        values: {
          agent: "a",
          file_path: ".github/copilot-instructions.md",
          change_type: "modify",
          change_summary: "s",
        },
      },
    ] as const;
    await host.journal.append(result.lease, stampRecords("run-1", 1, [createStep(1, rows)]));
    await host.close();

    const plain = new DatabaseSync(file);
    expect(plain.prepare("SELECT check_name, passed FROM anvil_checks").all()).toEqual([
      { check_name: "tests", passed: 1 },
    ]);
    for (const table of ["journal", ...rows.map((row) => row.table)]) {
      expect(() => plain.exec(`DELETE FROM ${table}`), table).toThrow(/never/);
      expect(() => plain.exec(`UPDATE ${table} SET ts = 0`), table).toThrow(/never/);
      expect(plain.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()).toEqual({ n: 1 });
    }
    plain.close();
  });
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-open-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "signalbox.db");
}

function overwrite(file: string, page: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(64, 0xa5), 0, 64, page * PAGE);
  closeSync(descriptor);
}

function schemaOf(db: DatabaseSync): unknown[] {
  return db.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
}
