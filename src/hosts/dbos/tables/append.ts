import { LEDGER_TABLES, type LedgerTable } from "../../../core/journal/ledger.ts";
import { type LedgerValue, ledgerRows } from "../../../core/journal/ledger-rows.ts";
import { statusAfter } from "../../../core/journal/run-status.ts";
import type { Lease, StampedRecord } from "../../../core/ports/host.ts";
import { refuseOutOfOrder, refuseStale } from "../../errors.ts";
import type { Database, Query } from "./database.ts";

type Answer = { stored: boolean; owner: string | null; fence: number | null; seq: number | null };

/** One statement, so one way to the server and back: the fence, the records, their ledger rows, the run's row. */
const APPEND = "SELECT * FROM append_records($1,$2,$3,$4,$5,$6,$7,$8,$9)";

/**
 * Stores the records or throws. It may be asked again after a connection broke under it, and then finds its own work:
 * under one fence nobody else writes, so a record that stands there word by word is ours.
 */
export async function appendRecords(
  database: Database,
  lease: Lease,
  records: readonly StampedRecord[],
): Promise<void> {
  const [first] = records;
  if (!first) return;
  refuseOutOfOrder(lease, first.seq - 1, records);
  const texts = records.map((record) => JSON.stringify(record));
  const [answer] = await database.prepared<Answer>(APPEND, [
    lease.run,
    lease.owner,
    lease.fence,
    first.seq,
    texts,
    ledgerOf(records),
    ...statusOf(records),
  ]);
  if (answer?.stored) return;
  refuseStale(lease, heldBy(answer));
  if (await isStored(database.query, lease.run, first.seq, texts)) return;
  refuseOutOfOrder(lease, answer?.seq ?? 0, records);
}

function heldBy(answer: Answer | undefined) {
  return answer?.fence == null ? undefined : { owner: answer.owner, fence: answer.fence };
}

async function isStored(query: Query, run: string, first: number, texts: readonly string[]): Promise<boolean> {
  const rows = await query<{ record: string }>(
    "SELECT record FROM journal WHERE run = $1 AND seq >= $2 ORDER BY seq LIMIT $3",
    [run, first, texts.length],
  );
  return rows.length === texts.length && rows.every(({ record }, index) => record === texts[index]);
}

/** As `append_records` and `create_run` take them. */
export function ledgerOf(records: readonly StampedRecord[]): string | null {
  const rows = records.flatMap(ledgerRows);
  if (rows.length === 0) return null;
  const tables = Map.groupBy(rows, ({ table }) => table);
  return JSON.stringify(
    Object.fromEntries([...tables].map(([table, of]) => [table, of.map(({ values }) => named(table, values))])),
  );
}

function named(table: LedgerTable, values: readonly LedgerValue[]): Record<string, LedgerValue> {
  return Object.fromEntries(LEDGER_TABLES[table].map((column, index) => [column, values[index] ?? null]));
}

function statusOf(records: readonly StampedRecord[]): readonly [string | null, number | null, string | null] {
  const after = records.map(statusAfter).findLast((status) => status !== undefined);
  return [after?.status ?? null, after?.exit ?? null, storable(after?.reason ?? null)];
}

/** Postgres keeps no NUL in text. */
const storable = (text: string | null): string | null => text?.replaceAll("\u0000", "\ufffd") ?? null;
