import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { Host, Lease } from "../../core/ports/host.ts";
import { createCheckRow, createStep, listNumbers, listSeqs, stampRecords } from "../suite/facts.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { startOtherProcess } from "./fixtures/start.ts";
import { createCommits } from "./group-commit.ts";
import { createSqliteHost } from "./host.ts";
import { openSqlite } from "./open.ts";

const world = createHeldWorld();

test("appends of fifty runs in one turn share one commit", async () => {
  const { file, host } = opened();
  const claims = await Promise.all(listNumbers(50).map((n) => owned(host, `run-${n}`)));
  const observer = new DatabaseSync(file);
  const commits = observer.prepare("PRAGMA data_version");
  let before = Number(commits.get()?.["data_version"]);
  for (let seq = 1; seq <= 3; seq++) {
    await Promise.all(
      claims.map((lease) => host.journal.append(lease, stampRecords(lease.run, seq, [createStep(seq)]))),
    );
    const after = Number(commits.get()?.["data_version"]);
    expect(after).toBe(before + 1);
    before = after;
    expect(observer.prepare("SELECT COUNT(*) AS n FROM journal").get()).toEqual({ n: 50 * seq });
  }
  observer.close();
});

test("nothing is acknowledged before another connection can read it", async () => {
  const { file, host } = opened();
  const lease = await owned(host, "run-1");
  const observer = new DatabaseSync(file, { readOnly: true });
  const last = observer.prepare("SELECT MAX(seq) AS seq FROM journal");
  const pending = host.journal.append(lease, stampRecords("run-1", 1, [createStep(1)]));
  expect(last.get()).toEqual({ seq: null });
  await pending;
  expect(last.get()).toEqual({ seq: 1 });
  observer.close();
});

test("pending appends are stored when a host closes", async () => {
  const { file, host } = opened();
  const lease = await owned(host, "run-1");
  const pending = host.journal.append(lease, stampRecords("run-1", 1, [createStep(1)]));
  await host.close();
  await pending;
  const again = createSqliteHost({ file, world });
  expect(listSeqs(await again.journal.load("run-1"))).toEqual([1]);
  await again.close();
});

test("an append waits for a lock that another process releases", async () => {
  const { file, host } = opened();
  const lease = await owned(host, "run-1");
  const other = startOtherProcess("lock", file);
  await other.said(1);
  await host.journal.append(lease, stampRecords("run-1", 1, [createStep(1)]));
  expect(listSeqs(await host.journal.load("run-1"))).toEqual([1]);
  expect((await other.ended).code).toBe(0);
});

test("a kill at any moment loses no acknowledged record, and the run is free at once", async () => {
  for (const atLeast of [1, 7, 40, 150]) {
    const { file, host } = opened();
    const other = startOtherProcess("append", file);
    await other.said(atLeast);
    expect(await host.runs.claim("run-1", "engine-b")).toMatchObject({ won: false });
    other.child.kill("SIGKILL");
    const { lines } = await other.ended;
    const last = Number(lines.at(-1));
    const stored = listSeqs(await host.journal.load("run-1"));
    expect(stored).toEqual(listNumbers(stored.length));
    expect(stored.length).toBeGreaterThanOrEqual(last);
    expect(stored.length).toBeLessThanOrEqual(last + 1);
    const rows = "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run";
    expect(await host.ledger.ask(rows, { run: "run-1" })).toEqual({ actual: stored.length });
    expect(await host.runs.claim("run-1", "engine-b")).toMatchObject({ won: true });
  }
});

test("a full disk is reported at once, and nothing is retried after it", async () => {
  const { file, host } = opened();
  const { lines, errors } = await startOtherProcess("append", file, 512).ended;
  expect(lines.slice(-2), errors).toEqual(["DISK_FAILED", "again DISK_FAILED"]);
  const acknowledged = lines.length - 2;
  expect(acknowledged).toBeGreaterThan(0);
  expect(listSeqs(await host.journal.load("run-1"))).toEqual(listNumbers(acknowledged));
});

test("after a failed write nothing is written again, even if it could be", async () => {
  const db = openSqlite({ file: ":memory:", world });
  const commits = createCommits(db, "a file");
  const put = db.prepare("INSERT INTO blobs (digest, text) VALUES (?, ?)");
  const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
  db.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const together = await Promise.allSettled([
    commits.run(() => put.run("small", "x")),
    commits.run(() => put.run("large", "x".repeat(100_000))),
  ]);
  expect(together).toMatchObject([{ reason: { code: "DISK_FAILED" } }, { reason: { code: "DISK_FAILED" } }]);
  db.exec("PRAGMA max_page_count = 100000");
  await expect(commits.run(() => put.run("later", "x"))).rejects.toMatchObject({ code: "DISK_FAILED" });
  expect(db.prepare("SELECT digest FROM blobs").all()).toEqual([]);
  db.close();
});

test("a row that the ledger refuses fails only its own append", async () => {
  const { host } = opened();
  const [good, bad] = [await owned(host, "run-1"), await owned(host, "run-2")];
  const results = await Promise.allSettled([
    host.journal.append(bad, stampRecords("run-2", 1, [createStep(1), createStep(2, [createCheckRow({ passed: 2 })])])),
    host.journal.append(good, stampRecords("run-1", 1, [createStep(1)])),
  ]);
  expect(results.map((result) => result.status)).toEqual(["rejected", "fulfilled"]);
  expect(await host.journal.load("run-2")).toEqual([]);
  await host.journal.append(bad, stampRecords("run-2", 1, [createStep(1)]));
});

function opened(): { file: string; host: Host } {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-commits-"));
  const file = join(folder, "signalbox.db");
  const host = createSqliteHost({ file, world });
  onTestFinished(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });
  return { file, host };
}

async function owned(host: Host, run: string): Promise<Lease> {
  await host.runs.create({ id: run, pipeline: "ledger", repo: "/repo" });
  const result = await host.runs.claim(run, "engine-a");
  if (!result.won) throw new Error(`${result.owner} has it`);
  return result.lease;
}
