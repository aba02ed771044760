import { expect } from "vitest";
import { LEDGER_TABLES, type LedgerRow, type LedgerTable } from "../../core/journal/ledger.ts";
import { findRowDifferences } from "../../core/journal/ledger-difference.ts";
import { createDerivation } from "../../core/journal/ledger-rows.ts";
import { createCheckRow, createStep, stampRecords } from "./facts.ts";
import type { HostCase } from "./scene.ts";

const HOSTILE = "'); DELETE FROM anvil_checks; -- \" \\ $1 :run ? \ud83d\ude80";
const COUNT = "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run";

/** A valid value for every column that a record may set. */
const FULL: Record<LedgerTable, LedgerRow["values"]> = {
  anvil_checks: {
    task_id: "task-1",
    phase: "review",
    check_name: "review-code-security",
    tool: "npm",
    command: HOSTILE,
    exit_code: 1,
    output_snippet: HOSTILE,
    passed: 0,
    verdict: "needs_revision",
    severity: "Major",
    round: 2,
    instance: "security-sentinel",
    tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  },
  pipeline_telemetry: {
    step: "7 Code review",
    agent: "reviewer",
    instance: "security-sentinel",
    started_at: "2030-01-01T00:00:00.000Z",
    completed_at: "2030-01-01T00:01:00.000Z",
    status: "DONE",
    dispatch_count: 2,
    retry_count: 1,
    notes: HOSTILE,
  },
  artifact_evaluations: {
    evaluator_agent: "implementer",
    evaluator_instance: "task-1",
    artifact_path: "docs/feature/x/design.yaml",
    usefulness_score: 8,
    clarity_score: 10,
    missing_information: HOSTILE,
    inaccuracies: "none",
    impact_on_work: "small",
  },
  instruction_updates: {
    agent: "knowledge",
    file_path: ".github/instructions/tests.md",
    change_type: "append",
    change_summary: HOSTILE,
    applied: 1,
  },
};

const WRITES = [
  "INSERT INTO anvil_checks (run_id, phase, check_name, passed, ts) VALUES (:run, 'after', 'forged', 1, 'now')",
  "UPDATE anvil_checks SET passed = 1",
  "DELETE FROM anvil_checks",
  "DROP TABLE anvil_checks",
  "CREATE TABLE forged (a INTEGER)",
  "CREATE TEMP TABLE anvil_checks (a INTEGER)",
  "ATTACH DATABASE ':memory:' AS other",
  "PRAGMA writable_schema = ON",
  "VACUUM INTO '/tmp/forged.db'",
  "BEGIN",
  "COMMIT",
  "SELECT 1 AS actual; DELETE FROM anvil_checks",
  "WITH gone AS (SELECT 1) DELETE FROM anvil_checks",
];

export function ledgerCases(it: HostCase): void {
  it("every column of the four tables is stored with its type", async ({ host, owned }) => {
    const lease = await owned();
    const tables = Object.keys(LEDGER_TABLES) as LedgerTable[]; // the keys of a const object are its type's keys
    const rows = tables.map((table) => ({ table, values: FULL[table] }));
    const records = stampRecords(lease.run, 1, [createStep(1, rows)]);
    await host.journal.append(lease, records);
    const told = { run_id: lease.run, ts: new Date(records[0]?.ts ?? 0).toISOString() };
    for (const table of tables) {
      const sql = `SELECT ${LEDGER_TABLES[table].join(", ")} FROM ${table} WHERE run_id = :run`;
      expect(await host.ledger.ask(sql, { run: lease.run })).toEqual({ ...FULL[table], ...told });
    }
  });

  it("[L-27] hostile text is stored as it is and never executed", async ({ host, owned }) => {
    const lease = await owned();
    const hostile = `'); DROP TABLE anvil_checks; -- $1 :run "x"`;
    const rows = [
      createCheckRow({ output_snippet: hostile }),
      createCheckRow({ check_name: hostile, output_snippet: "second" }),
    ];
    await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1, rows)]));
    const texts = "SELECT MIN(output_snippet) AS first, MIN(check_name) AS name FROM anvil_checks WHERE run_id = :run";
    expect(await host.ledger.ask(texts, { run: lease.run })).toEqual({ first: hostile, name: hostile });
    expect(await host.ledger.ask(COUNT, { run: lease.run })).toEqual({ actual: 2 });
  });

  it("missing columns of a row get the tables' defaults", async ({ host, owned }) => {
    const lease = await owned();
    const telling = { table: "pipeline_telemetry", values: { step: "s", agent: "a", started_at: "t" } } as const;
    await host.journal.append(
      lease,
      stampRecords(lease.run, 1, [createStep(1, [createCheckRow({ task_id: null }), telling])]),
    );
    const checks = "SELECT task_id, instance, tree, round, verdict FROM anvil_checks WHERE run_id = :run";
    expect(await host.ledger.ask(checks, { run: lease.run })).toEqual({
      task_id: "",
      instance: "",
      tree: "",
      round: 1,
      verdict: null,
    });
    const counts = "SELECT dispatch_count, retry_count FROM pipeline_telemetry WHERE run_id = :run";
    expect(await host.ledger.ask(counts, { run: lease.run })).toEqual({ dispatch_count: 1, retry_count: 0 });
  });

  it("evidence is visible to every handle as soon as its record is", async ({ host, owned, another }) => {
    const other = await another();
    const lease = await owned();
    expect(await other.ledger.ask(COUNT, { run: lease.run })).toEqual({ actual: 0 });
    const rows = [createCheckRow(), createCheckRow({ check_name: "lint" })];
    await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1, rows)]));
    expect(await other.ledger.ask(COUNT, { run: lease.run })).toEqual({ actual: 2 });
    expect(await other.journal.load(lease.run)).toHaveLength(1);
  });

  it("a stale claim writes no evidence", async ({ host, owned }) => {
    const lease = await owned();
    const stale = { ...lease, fence: lease.fence - 1 };
    const records = stampRecords(lease.run, 1, [createStep(1, [createCheckRow()])]);
    await expect(host.journal.append(stale, records)).rejects.toMatchObject({ code: "FENCED" });
    expect(await host.ledger.ask(COUNT, { run: lease.run })).toEqual({ actual: 0 });
  });

  it("of two results of the same check on the same tree the first one stands", async ({ host, owned }) => {
    const lease = await owned();
    await host.journal.append(
      lease,
      stampRecords(lease.run, 1, [createStep(1, [createCheckRow({ passed: 0, tree: "t" })])]),
    );
    const again = [createCheckRow({ passed: 1, tree: "t" }), createCheckRow({ passed: 1, tree: "u" })];
    await host.journal.append(lease, stampRecords(lease.run, 2, [createStep(2, again)]));
    const passed = "SELECT CAST(SUM(passed) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run";
    expect(await host.ledger.ask(passed, { run: lease.run })).toEqual({ actual: 1 });
    expect(await host.ledger.ask(COUNT, { run: lease.run })).toEqual({ actual: 2 });
    expect(await host.journal.load(lease.run)).toHaveLength(2);
  });

  it("a record cannot set its run, its time, or an unknown column", async ({ host, owned }) => {
    const lease = await owned();
    for (const values of [{ run_id: "another" }, { ts: "1999" }, { id: 1 }, { "passed, ts": 1 }]) {
      const records = stampRecords(lease.run, 1, [createStep(1, [createCheckRow(values)])]);
      await expect(host.journal.append(lease, records)).rejects.toThrow();
    }
    expect(await host.journal.load(lease.run)).toEqual([]);
  });

  it("text is stored unchanged, whatever it looks like, and bound unchanged", async ({ host, owned }) => {
    const lease = await owned();
    const values = { task_id: HOSTILE, check_name: "a\u0000b", command: "" };
    await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1, [createCheckRow(values)])]));
    const sql = "SELECT task_id, check_name, command FROM anvil_checks WHERE task_id = :task AND run_id = :run";
    // Postgres text has no NUL, so every host writes the replacement character instead.
    const stored = { ...values, check_name: "a\ufffdb" };
    expect(await host.ledger.ask(sql, { run: lease.run, task: HOSTILE })).toEqual(stored);
  });

  it("evidence is found by the name it was given, even a name that cannot be stored unchanged", async (scene) => {
    const lease = await scene.owned();
    const names = ["a\u0000b", "\ud83d", "plain"];
    await scene.host.journal.append(
      lease,
      stampRecords(lease.run, 1, [
        createStep(
          1,
          names.map((name) => createCheckRow({ task_id: name })),
        ),
      ]),
    );
    for (const name of names) {
      const asked = scene.host.ledger.ask(`${COUNT} AND task_id = :task`, { run: lease.run, task: name });
      expect(await asked, JSON.stringify(name)).toEqual({ actual: 1 });
    }
  });

  it("parameters are named, may repeat, and unused ones are ignored", async ({ host, owned }) => {
    const lease = await owned();
    const rows = [createCheckRow({ round: 2 }), createCheckRow({ round: 3 })];
    await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1, rows)]));
    const sql = `${COUNT} AND (round = :round OR round > :round) AND :run = run_id`;
    expect(await host.ledger.ask(sql, { round: 3, run: lease.run, other: "x" })).toEqual({ actual: 1 });
    expect(await host.ledger.ask(sql, { round: 2, run: lease.run })).toEqual({ actual: 2 });
  });

  it("a rule with a missing parameter, or one that is neither text nor number, is refused", async ({ host }) => {
    await expect(host.ledger.ask(COUNT, {})).rejects.toMatchObject({ code: "RULE_INVALID" });
    await expect(host.ledger.ask(COUNT, { run: ["a"] })).rejects.toMatchObject({ code: "RULE_INVALID" });
    await expect(host.ledger.ask("SELECT nothing FROM nowhere", {})).rejects.toMatchObject({ code: "RULE_INVALID" });
  });

  it("a rule without a row returns undefined, and sums are numbers", async ({ host, owned }) => {
    const lease = await owned();
    const none = "SELECT passed AS actual FROM anvil_checks WHERE run_id = :run";
    expect(await host.ledger.ask(none, { run: lease.run })).toBeUndefined();
    const grouped = `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM (
      SELECT instance FROM anvil_checks WHERE run_id = :run GROUP BY instance
      HAVING SUM(CASE WHEN verdict <> 'approve' THEN 1 ELSE 0 END) = 0) clean`;
    const rows = ["a", "b"].map((instance) => createCheckRow({ phase: "review", instance, verdict: "approve" }));
    await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1, rows)]));
    expect(await host.ledger.ask(grouped, { run: lease.run })).toEqual({ actual: 2 });
  });

  it("all rows of a run are returned as stored, in the order of their records", async ({ host, owned }) => {
    const [lease, other] = [await owned(), await owned()];
    const tables = Object.keys(LEDGER_TABLES) as LedgerTable[]; // the keys of a const object are its type's keys
    const full = tables.map((table) => ({ table, values: FULL[table] }));
    const odd = [
      createCheckRow({ task_id: "a\u0000b", check_name: 5, round: "3" }),
      createCheckRow({ task_id: "\ud83d" }),
    ];
    const records = stampRecords(lease.run, 1, [
      createStep(1, full),
      createStep(2, odd),
      createStep(3, [createCheckRow()]),
      createStep(4, [createCheckRow()]),
    ]);
    expect(await host.ledger.rows(lease.run)).toEqual([]);
    await host.journal.append(lease, records);
    await host.journal.append(other, stampRecords(other.run, 1, [createStep(1, [createCheckRow()])]));
    const stored = await host.ledger.rows(lease.run);
    const derived = createDerivation().take(await host.journal.load(lease.run));
    expect(derived).toHaveLength(7);
    expect([...findRowDifferences(derived, stored)]).toEqual([]);
    for (const table of tables) {
      const wanted = derived.filter((row) => row.table === table).map(({ values }) => values);
      expect(stored.filter((row) => row.table === table).map(({ values }) => values)).toEqual(wanted);
    }
  });

  it("a rule cannot write", async ({ host, owned }) => {
    const lease = await owned();
    await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1, [createCheckRow({ passed: 0 })])]));
    for (const sql of WRITES) {
      await expect(host.ledger.ask(sql, { run: lease.run }), sql).rejects.toMatchObject({ code: "RULE_INVALID" });
    }
    const untouched = "SELECT passed AS actual FROM anvil_checks WHERE run_id = :run";
    expect(await host.ledger.ask(untouched, { run: lease.run })).toEqual({ actual: 0 });
    await host.journal.append(lease, stampRecords(lease.run, 2, [createStep(2)]));
  });
}
