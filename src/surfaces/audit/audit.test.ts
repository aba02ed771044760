import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { cpuMs } from "../../../test/support/cpu-clock.ts";
import { init } from "../../hosts/sqlite/migrations/0001-init.ts";
import { auditLedger } from "./audit.ts";
import {
  after,
  audited,
  baseline,
  entry,
  FULL,
  ledgerFile,
  notesOf,
  RULES,
  results,
  reviewed,
  row,
} from "./ledger.suite.ts";

const without = (...names: string[]) => FULL.filter((name) => !names.includes(name));

test("a ledger that follows every rule passes every gate", () => {
  const audit = audited({ checks: [baseline(), after("build"), after("tests"), ...reviewed()] });
  expect(audit.rows).toBe(12);
  expect(results(audit, "task-01")).toEqual({ "EG-1": "pass", "EG-2": "pass" });
  expect(results(audit, "x-code-review")).toEqual({ "EG-3": "pass", "EG-4": "pass", "EG-5": "pass", "EG-6": "pass" });
  expect(audit.totals["EG-2"]).toEqual({ pass: 1, fail: 0, unknown: 0 });
});

test("an audit is plain data of the documented shape", () => {
  const audit = audited({ checks: [after("build")] });
  expect(Object.keys(audit)).toEqual(["rows", "entries", "totals", "notes"]);
  expect(Object.keys(audit.entries[0] ?? {})).toEqual(["run_id", "task_id", "kind", "round", "gates"]);
  expect(entry(audit, "task-01")?.gates["EG-2"]).toMatchObject({ result: "fail", actual: 1, need: 2 });
  expect(entry(audit, "task-01")?.gates["EG-2"]?.why).toContain("assumes a Standard task");
  expect(JSON.parse(JSON.stringify(audit))).toEqual(audit);
});

test("a task without a baseline fails EG-1, whatever passed afterwards", () => {
  expect(results(audited({ checks: [after("build"), after("tests")] }), "task-01")).toEqual({
    "EG-1": "fail",
    "EG-2": "pass",
  });
});

test("a baseline counts regardless of its round", () => {
  const audit = audited({ checks: [baseline({ round: 1 }), after("build"), after("tests")] });
  expect(results(audit, "task-01")["EG-1"]).toBe("pass");
});

test("the same check twice counts once, and one failed check fails the round", () => {
  const twice = audited({ checks: [after("build"), after("build")] });
  expect(entry(twice, "task-01")?.gates["EG-2"]?.actual).toBe(1);
  const red = audited({ checks: [after("build"), after("lint"), after("tests", { passed: 0 })] });
  expect(entry(red, "task-01")?.gates["EG-2"]).toMatchObject({ result: "fail", actual: 0 });
  expect(entry(red, "task-01")?.gates["EG-2"]?.why).toContain("failed: tests");
});

test("a task is evaluated by its highest round", () => {
  const rounds = [after("build", { passed: 0 }), after("build", { round: 2 }), after("tests", { round: 2 })];
  const audit = audited({ checks: rounds });
  expect(entry(audit, "task-01")?.round).toBe(2);
  expect(results(audit, "task-01")["EG-2"]).toBe("pass");
});

test("each round of a review is an entry, and a blocker in any round fails EG-4 in all", () => {
  const blocked = reviewed().map((each, at) => (at === 0 ? { ...each, verdict: "blocker" } : each));
  const audit = audited({ checks: [...blocked, ...reviewed({ round: 2 })] });
  expect(results(audit, "x-code-review", 1)).toMatchObject({ "EG-4": "fail", "EG-6": "pass" });
  expect(results(audit, "x-code-review", 2)).toMatchObject({ "EG-4": "fail", "EG-6": "pass" });
  expect(audit.totals["EG-4"]).toEqual({ pass: 0, fail: 2, unknown: 0 });
});

test("a reviewer with a missing or open verdict does not approve", () => {
  const [first, ...others] = reviewed();
  const missing = audited({ checks: others });
  expect(entry(missing, "x-code-review")?.gates).toMatchObject({
    "EG-5": { result: "fail", actual: 2 },
    "EG-6": { result: "pass", actual: 2 },
  });
  const open = audited({ checks: [{ ...first, verdict: null }, ...others] });
  expect(entry(open, "x-code-review")?.gates).toMatchObject({ "EG-5": { actual: 3 }, "EG-6": { actual: 2 } });
});

test("the scope of a review comes from its task, otherwise from its checks", () => {
  const foreign = audited({ checks: reviewed({ task_id: "x-design-review" }, "code") });
  expect(results(foreign, "x-design-review")).toMatchObject({ "EG-3": "pass", "EG-5": "fail" });
  expect(results(audited({ checks: reviewed({ task_id: "review" }, "design") }), "review")["EG-6"]).toBe("pass");
});

test("review rows without a reviewer name count for no reviewer and are reported", () => {
  const audit = audited({ checks: reviewed({ instance: null }) });
  expect(results(audit, "x-code-review")).toEqual({ "EG-3": "fail", "EG-4": "pass", "EG-5": "fail", "EG-6": "fail" });
  expect(notesOf(audit, "review-instance")).toEqual([expect.stringContaining("(none) ×9")]);
});

test("without instances only the gates over instances are unknown", () => {
  const checks = [baseline(), after("build"), after("tests"), ...reviewed()];
  const audit = audited({ columns: without("instance"), checks });
  expect(results(audit, "task-01")).toEqual({ "EG-1": "pass", "EG-2": "pass" });
  expect(results(audit, "x-code-review")).toEqual({
    "EG-3": "unknown",
    "EG-4": "pass",
    "EG-5": "unknown",
    "EG-6": "unknown",
  });
  expect(entry(audit, "x-code-review")?.gates["EG-3"]).toMatchObject({ actual: null, need: 3 });
  expect(entry(audit, "x-code-review")?.gates["EG-3"]?.why).toContain("no column instance");
  expect(notesOf(audit, "review-instance")).toEqual([]);
});

test("without rounds only the gates over one round are unknown", () => {
  const audit = audited({ columns: without("round"), checks: [baseline(), after("build"), ...reviewed()] });
  expect(results(audit, "task-01")).toEqual({ "EG-1": "pass", "EG-2": "unknown" });
  expect(results(audit, "x-code-review")).toMatchObject({ "EG-3": "unknown", "EG-4": "pass" });
  expect(entry(audit, "task-01")).not.toHaveProperty("round");
  expect(notesOf(audit, "missing-column")).toEqual([expect.stringContaining("round")]);
});

test("rounds and results that are not numbers make a gate unknown, not passed", () => {
  const rounds = audited({ checks: [baseline(), after("build", { round: "two" }), after("tests")] });
  expect(results(rounds, "task-01")).toEqual({ "EG-1": "pass", "EG-2": "unknown" });
  const passed = audited({ checks: [after("build"), after("lint"), after("tests", { passed: "no" })] });
  expect(results(passed, "task-01")["EG-2"]).toBe("unknown");
  expect(notesOf(passed, "unreadable-value")).toHaveLength(1);
  const text = audited({ checks: [after("build", { passed: "1", round: "1" }), after("tests", { passed: "1" })] });
  expect(results(text, "task-01")["EG-2"]).toBe("pass");
});

test("a blocker whose round cannot be read still fails EG-4", () => {
  const [first, ...others] = reviewed();
  const audit = audited({ checks: [{ ...first, verdict: "blocker", round: "?" }, ...others] });
  expect(results(audit, "x-code-review", 1)).toMatchObject({ "EG-3": "unknown", "EG-4": "fail" });
});

test("a ledger without rows and a database without tables are evaluated as empty", () => {
  const empty = audited({});
  expect(empty).toMatchObject({ rows: 0, entries: [], totals: { "EG-1": { pass: 0, fail: 0, unknown: 0 } } });
  expect(notesOf(empty, "empty-table")).toEqual([expect.stringContaining("anvil_checks")]);
  const file = join(dirname(ledgerFile({})), "other.db");
  new DatabaseSync(file).close();
  expect(auditLedger({ file, rules: RULES }).notes.filter((note) => note.kind === "missing-table")).toHaveLength(4);
});

test("a file that is not a database, or only half of one, is refused with a hint", () => {
  const file = ledgerFile({ checks: Array.from({ length: 500 }, (_, at) => after(`check-${at}`)) });
  truncateSync(file, 8192);
  const other = join(dirname(file), "other.db");
  writeFileSync(other, "this is a text about ledgers, and long enough to be taken for a header of one".repeat(20));
  for (const damaged of [file, other]) {
    expect(() => auditLedger({ file: damaged, rules: RULES })).toThrow(
      expect.objectContaining({ code: "DATABASE_DAMAGED", hint: expect.stringContaining("No file was changed") }),
    );
  }
});

test("a missing file and a folder are usage errors", () => {
  const folder = join(dirname(ledgerFile({})), "folder");
  mkdirSync(folder);
  for (const file of [folder, join(folder, "none.db")]) {
    expect(() => auditLedger({ file, rules: RULES })).toThrow(expect.objectContaining({ code: "USAGE" }));
  }
});

test("the folder of a ledger stays byte-identical", () => {
  const file = ledgerFile({ checks: [baseline()], wal: true });
  const before = [readdirSync(dirname(file)), readFileSync(file)];
  auditLedger({ file, rules: RULES });
  expect([readdirSync(dirname(file)), readFileSync(file)]).toEqual(before);
});

test("rows in the write-ahead log are evaluated", () => {
  const file = ledgerFile({ checks: [baseline()], wal: true });
  const db = new DatabaseSync(file);
  db.exec(
    "INSERT INTO anvil_checks (run_id, task_id, phase, check_name, passed) VALUES ('run-1', 'late', 'after', 'build', 1)",
  );
  const moved = join(dirname(file), "moved.db");
  for (const part of ["", "-wal"]) copyFileSync(file + part, moved + part);
  db.close();
  const audit = auditLedger({ file: moved, rules: RULES });
  expect(audit.entries.map((each) => each.task_id)).toEqual(["late", "task-01"]);
});

test("a ledger with an unfinished write is not evaluated", () => {
  const file = ledgerFile({ checks: [baseline()] });
  const db = new DatabaseSync(file);
  db.exec("PRAGMA cache_size = 5; BEGIN; UPDATE anvil_checks SET run_id = 'half'");
  const insert = db.prepare("INSERT INTO anvil_checks (run_id, phase) VALUES (?, 'baseline')");
  for (let at = 0; at < 200; at++) insert.run("half".repeat(500));
  const moved = join(dirname(file), "moved.db");
  for (const part of ["", "-journal"]) copyFileSync(file + part, moved + part);
  db.close();
  expect(() => auditLedger({ file: moved, rules: RULES })).toThrow(
    expect.objectContaining({ code: "DATABASE_DAMAGED" }),
  );
});

test("a ledger of Signalbox is evaluated like any other", () => {
  const file = join(dirname(ledgerFile({})), "own.db");
  const db = new DatabaseSync(file);
  db.exec(init);
  const insert = db.prepare(`INSERT INTO anvil_checks (run_id, task_id, phase, check_name, passed, round, tree, ts)
    VALUES ('r', 't', ?, ?, 1, ?, 'abc', '2026-03-01T10:00:00.120Z')`);
  insert.run("baseline", "build", 0);
  insert.run("after", "build", 1);
  insert.run("after", "tests", 1);
  db.close();
  expect(results(auditLedger({ file, rules: RULES }), "t")).toEqual({ "EG-1": "pass", "EG-2": "pass" });
});

test("a view is not treated as a table", () => {
  const file = ledgerFile({});
  const db = new DatabaseSync(file);
  db.exec("DROP TABLE anvil_checks");
  db.exec(`CREATE VIEW anvil_checks AS WITH RECURSIVE n(run_id) AS (SELECT 1 UNION ALL SELECT run_id + 1 FROM n)
    SELECT run_id, 'baseline' AS phase FROM n`);
  db.close();
  const audit = auditLedger({ file, rules: RULES });
  expect(audit.rows).toBe(0);
  expect(notesOf(audit, "missing-table")).toContain("table anvil_checks is missing");
});

test("names with invalid text are found again", () => {
  const names = ["'; DROP TABLE anvil_checks; --", "a\u0000b", "\u001b[31mred", "ключ 🔑", ""];
  const tasks = names.flatMap((task_id) => [
    baseline({ task_id }),
    after("build", { task_id }),
    after("tests", { task_id }),
  ]);
  const broken = new Uint8Array([0xff, 0xfe, 0x41]);
  const audit = audited({
    checks: [...tasks, baseline({ task_id: broken }), row({ run_id: null, phase: "baseline" })],
  });
  expect(audit.entries).toHaveLength(names.length + 2);
  expect(audit.totals["EG-1"]).toEqual({ pass: names.length + 2, fail: 0, unknown: 0 });
});

test("fifty thousand rows of one task and of ten thousand tasks are evaluated within seconds", () => {
  const many = Array.from({ length: 10_000 }, (_, at) =>
    [baseline(), after("build"), after("lint"), after("tests"), after("types")].map((each) => ({
      ...each,
      task_id: `task-${at}`,
    })),
  ).flat();
  const rounds = Array.from({ length: 5_000 }, (_, at) => reviewed({ round: at })).flat();
  const failing = Array.from({ length: 25_000 }, (_, at) => [
    baseline({ check_name: `c-${at}`, passed: 0 }),
    after(`c-${at}`, { passed: 0 }),
  ]).flat();
  for (const checks of [many, rounds, failing]) {
    const file = ledgerFile({ checks });
    const started = cpuMs();
    expect(auditLedger({ file, rules: RULES }).rows).toBe(checks.length);
    expect(cpuMs() - started).toBeLessThan(20_000);
  }
});
