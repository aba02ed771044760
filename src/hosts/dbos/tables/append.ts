import { LEDGER_TABLES, type LedgerTable } from "../../../core/journal/ledger.ts";
import { buildLedgerRows, type LedgerValue } from "../../../core/journal/ledger-rows.ts";
import { getStatusAfter } from "../../../core/journal/run-status.ts";
import type { Lease, StampedRecord } from "../../../core/ports/host.ts";
import { refuseOutOfOrder, refuseStale } from "../../errors.ts";
import type { Database, Query } from "./database.ts";

type AppendAnswer = { stored: boolean; owner: string | null; fence: number | null; seq: number | null };

/**
 * One statement and one round trip: checks the fence, stores the records and their ledger rows, and updates the run's
 * row.
 */
const APPEND = "SELECT * FROM append_records($1,$2,$3,$4,$5,$6,$7,$8,$9)";

/**
 * Stores the records or throws. Safe to repeat after a lost connection: only one process writes under a fence, so
 * identical stored records are our own.
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
  const [answer] = await database.prepared<AppendAnswer>(APPEND, [
    lease.run,
    lease.owner,
    lease.fence,
    first.seq,
    texts,
    serializeLedgerRows(records),
    ...findLastStatus(records),
  ]);
  if (answer?.stored) return;
  refuseStale(lease, toOwnership(answer));
  if (await isStored(database.query, lease.run, first.seq, texts)) return;
  refuseOutOfOrder(lease, answer?.seq ?? 0, records);
}

function toOwnership(answer: AppendAnswer | undefined) {
  return answer?.fence == null ? undefined : { owner: answer.owner, fence: answer.fence };
}

async function isStored(query: Query, run: string, first: number, texts: readonly string[]): Promise<boolean> {
  const rows = await query<{ record: string }>(
    "SELECT record FROM journal WHERE run = $1 AND seq >= $2 ORDER BY seq LIMIT $3",
    [run, first, texts.length],
  );
  return rows.length === texts.length && rows.every(({ record }, index) => record === texts[index]);
}

/** The JSON that `append_records` and `create_run` take. */
export function serializeLedgerRows(records: readonly StampedRecord[]): string | null {
  const rows = records.flatMap(buildLedgerRows);
  if (rows.length === 0) return null;
  const tables = Map.groupBy(rows, ({ table }) => table);
  return JSON.stringify(
    Object.fromEntries([...tables].map(([table, of]) => [table, of.map(({ values }) => toNamedRow(table, values))])),
  );
}

function toNamedRow(table: LedgerTable, values: readonly LedgerValue[]): Record<string, LedgerValue> {
  return Object.fromEntries(LEDGER_TABLES[table].map((column, index) => [column, values[index] ?? null]));
}

function findLastStatus(records: readonly StampedRecord[]): readonly [string | null, number | null, string | null] {
  const after = records.map(getStatusAfter).findLast((status) => status !== undefined);
  return [after?.status ?? null, after?.exit ?? null, replaceNul(after?.reason ?? null)];
}

/** Postgres text cannot contain NUL. */
const replaceNul = (text: string | null): string | null => text?.replaceAll("\u0000", "\ufffd") ?? null;
