import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { done, quickWorld, stage, world } from "../../../../test/support/stage.ts";
import { definePipeline } from "../../../core/authoring/pipeline.ts";
import { defineRole } from "../../../core/authoring/role.ts";
import { sqlRule, valueRule } from "../../../core/authoring/rule.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { createSqliteHost } from "../../../hosts/sqlite/host.ts";

const tree = { tree: "a".repeat(40) };
const forger = defineRole({ name: "forger", does: "forges", contract: z.object({ ok: z.boolean() }) });
const GREEN = sqlRule({
  id: "GREEN",
  because: "a check passed",
  sql: "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run AND passed = 1",
  need: 1,
});
const FINE = valueRule({ id: "FINE", because: "it is fine", judge: () => ({ passed: true }) });

const FORGED =
  "INSERT INTO anvil_checks (run_id, phase, check_name, passed, ts) SELECT id, 'after', 'forged', 1, 'now' FROM runs";
const CHANGED = "DROP TRIGGER checks_are_fixed; UPDATE anvil_checks SET passed = 1 - passed";
const LOST = "DROP TRIGGER checks_stay; DELETE FROM anvil_checks";
const MENDED = "DROP TRIGGER checks_stay; DELETE FROM anvil_checks WHERE check_name = 'forged'";

/** Checks, then lets somebody at the database, then goes on as the test says. */
async function tampered(edit: string, then: (verbs: Verbs<unknown>) => Promise<unknown>) {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-forged-"));
  const file = join(dir, "runs.db");
  const change = (sql: string): void => {
    const db = new DatabaseSync(file);
    db.exec(sql);
    db.close();
  };
  const effects: string[] = [];
  const pipeline = definePipeline(
    { name: "small", about: "", version: 1, input: z.unknown(), dialect: "json", phases: [{ title: "One" }], cap: 1 },
    async (verbs) => {
      verbs.phase("One");
      await verbs.check(tree, { task: "t" });
      await verbs.agent(forger, {});
      await then(verbs);
      return { status: "done" };
    },
  );
  const act = world(() => {
    change(edit);
    return done({ ok: true });
  });
  const host = createSqliteHost({ file, world: quickWorld() });
  onTestFinished(async () => {
    await host.close();
    rmSync(dir, { recursive: true });
  });
  const s = await stage({
    pipeline,
    host,
    perform: (effect, signal) => {
      effects.push(effect.kind);
      return act(effect, signal);
    },
    order: { commands: [{ name: "test", run: "make test" }] },
  });
  return { s, effects, change };
}

const asks = ({ gate }: Verbs<unknown>) => gate("green", [GREEN], { tree });
const commits = async ({ gate, commit }: Verbs<unknown>) =>
  commit(tree, { message: "work", because: [await gate("fine", [FINE], { tree })] });

test.each([
  ["an invented row", FORGED, /anvil_checks row \d+ does not follow from any record/],
  ["a changed row", CHANGED, /anvil_checks row \d+: passed is 0, the journal says 1 \(record \d+\)/],
  ["a lost row", LOST, /anvil_checks is missing a row of record \d+/],
])("[A-29] %s makes the next gate over the ledger refuse to judge, and names the row", async (_what, edit, named) => {
  const { s } = await tampered(edit, asks);
  await expect(s.drive()).rejects.toMatchObject({ code: "LEDGER_FORGED", message: expect.stringMatching(named) });
  const records = await s.records();
  expect(records.filter(({ type }) => type === "gate.evaluated")).toEqual([]);
  expect(records.at(-1)).toMatchObject({ type: "run.suspended", status: "broken", code: "LEDGER_FORGED" });
});

test.each([FORGED, CHANGED, LOST])(
  "[A-29] nothing is committed on a ledger that the journal does not give: %s",
  async (edit) => {
    const { s, effects } = await tampered(edit, commits);
    await expect(s.drive()).rejects.toMatchObject({ code: "LEDGER_FORGED" });
    expect(effects).not.toContain("commit");
  },
);

test("[A-29] a ledger that matches the journal passes gate and commit", async () => {
  const { s, effects } = await tampered("SELECT 1", async (verbs) => {
    await asks(verbs);
    await commits(verbs);
  });
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(effects).toContain("commit");
});

test("after the rows are restored, the run continues", async () => {
  const { s, change } = await tampered(FORGED, asks);
  await expect(s.drive()).rejects.toMatchObject({ code: "LEDGER_FORGED" });
  change(MENDED);
  expect(await s.drive()).toMatchObject({ status: "done" });
});

test("rows of another run make no difference", async () => {
  const { s } = await tampered(FORGED.replace("SELECT id,", "SELECT 'another',"), asks);
  expect(await s.drive()).toMatchObject({ status: "done" });
});
