import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRealWorld } from "../src/cli/real-world.ts";
import type { JournalRecord } from "../src/core/journal/record.ts";
import { toNormalForm } from "../src/core/text/normal-form.ts";
import { createDbosHost } from "../src/hosts/dbos/host.ts";
import { createSqliteHost } from "../src/hosts/sqlite/host.ts";
import { ledgerPart } from "./support/parts/ledger.ts";
import { windingPart } from "./support/parts/winding.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";
import { type Part, type Played, playOn } from "./support/real-run.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describe.each([
  { part: windingPart, refused: ["green"], answers: 1, retries: 1 },
  { part: ledgerPart, refused: ["design review"], answers: 3, retries: 1 },
])("the pipeline $part.pipeline.name, on SQLite and on DBOS with the same agents", ({ part, ...way }) => {
  let embedded: Played;
  let distributed: Played;
  beforeAll(async () => {
    [embedded, distributed] = await onBoth(part);
  });

  test("takes its scenario's path: a retry, a refusal, answers from outside, a commit", () => {
    expect(embedded.status).toBe("done");
    expect(embedded.answers).toBe(way.answers);
    expect(embedded.records.filter((record) => record.type === "agent.retried")).toHaveLength(way.retries);
    expect(listRefusedGates(embedded.records)).toEqual(way.refused);
    expect(embedded.tree).toMatch(/^[0-9a-f]{40}$/);
  });

  test("writes the same normalized journal", () => {
    expect(normalizeJournal(distributed)).toEqual(normalizeJournal(embedded));
  });

  test("makes the same decisions, rule by rule", () => {
    expect(listDecisions(distributed.records)).toEqual(listDecisions(embedded.records));
    expect(listDecisions(embedded.records).length).toBeGreaterThan(0);
  });

  test("commits the same tree with the same message", () => {
    expect(distributed.tree).toBe(embedded.tree);
    expect(stripChain(distributed)).toBe(stripChain(embedded));
  });
});

/** One after the other: DBOS is one per process, and two parallel runs would slow each other down. */
async function onBoth(part: Part): Promise<[Played, Played]> {
  const embedded = await playOn(
    async (dir) => createSqliteHost({ file: join(dir, "signalbox.db"), world: createRealWorld() }),
    part,
  );
  const url = await server.team(part.pipeline.name);
  return [embedded, await playOn(() => createDbosHost({ url, world: createRealWorld() }), part)];
}

/** A commit's id depends on its anchor, as does the fingerprint of a note that names the commit. */
function normalizeJournal({ records }: Played): readonly string[] {
  const isNote = (record: JournalRecord) => record.type === "step.started" && record.verb === "note";
  return toNormalForm(records.map((record) => (isNote(record) ? { ...record, print: "of a note" } : record)));
}

/** The anchor is the head of the journal's chain, which includes engines and times. */
const stripChain = ({ message }: Played): string => message.replace(/^Signalbox-Chain: .*$/m, "").trim();

/** Returns the inputs and results of every rule, ordered by key, because branches may decide in any order. */
function listDecisions(records: readonly JournalRecord[]): string[] {
  return records
    .filter((record) => record.type === "gate.evaluated")
    .map(({ key, rule, passed, actual, need, tree }) => JSON.stringify({ key, rule, passed, actual, need, tree }))
    .sort();
}

function listRefusedGates(records: readonly JournalRecord[]): string[] {
  const evaluated = records.filter((record) => record.type === "gate.evaluated");
  return [...new Set(evaluated.filter(({ passed }) => !passed).map(({ gate }) => gate))];
}
