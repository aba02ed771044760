import { LEDGER_TABLES } from "../../../core/journal/ledger.ts";
import { ledgerRows } from "../../../core/journal/ledger-rows.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import { statusAfter } from "../../../core/journal/run-status.ts";
import type { Host, Lease, StampedRecord } from "../../../core/ports/host.ts";
import { type Ownership, refuseOutOfOrder, refuseStale } from "../../errors.ts";
import { journalOf } from "../../notifier.ts";
import type { Database, Query } from "./database.ts";
import type { Notices } from "./listen-notify.ts";

export type JournalParts = {
  readonly database: Database;
  readonly notices: Notices;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
};

export function postgresJournal({ database, notices, closing }: JournalParts): Host["journal"] {
  const inTurn = turns();
  const page = (run: string, from: Part) => loadRecords(database.query, run, from);
  return {
    load: (run, after = 0) => page(run, { after, most: ALL }),
    page,
    append: (lease, records) =>
      inTurn(lease.run, () =>
        database.transaction(async (query) => {
          await holdRun(query, lease, records);
          await insertRecords(query, lease.run, records);
          await notices.post(query, journalOf(lease.run));
        }),
      ),
    async *follow(run, after, signal) {
      const ended = AbortSignal.any([signal, closing]);
      let last = after;
      while (!ended.aborted) {
        await notices.listening();
        const rung = notices.notifier.count(journalOf(run));
        const records = ended.aborted ? [] : await page(run, { after: last, most: PAGE });
        for (const record of records) {
          if (ended.aborted) return;
          yield record;
          last = record.seq;
        }
        if (records.length === 0) await notices.notifier.after(journalOf(run), rung, ended);
      }
    },
  };
}

/** Appends of one run that were not waited for would race for the pool's connections: each waits for the one before. */
function turns(): (run: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (run, work) => {
    const turn = (last.get(run) ?? Promise.resolve()).catch(() => undefined).then(work);
    last.set(run, turn);
    try {
      await turn;
    } finally {
      if (last.get(run) === turn) last.delete(run);
    }
  };
}

/** As Postgres spells "no limit". */
const ALL = null;
/** Whoever follows a long run from its beginning holds no more of it than this. */
const PAGE = 1_000;

type Part = { readonly after: number; readonly most: number | null };

async function loadRecords(query: Query, run: string, { after, most }: Part): Promise<readonly JournalRecord[]> {
  const rows = await query<{ record: string }>(
    "SELECT record FROM journal WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    [run, after, most],
  );
  // Only `append` writes this column, and it takes nothing but records.
  return rows.map((row) => JSON.parse(row.record) as JournalRecord);
}

/** Locks the run's row until the transaction ends: whoever claims meanwhile waits, and then has the higher fence. */
async function holdRun(query: Query, lease: Lease, records: readonly StampedRecord[]): Promise<void> {
  const [row] = await query<Ownership & { seq: number }>(
    "SELECT owner, fence, seq FROM runs WHERE id = $1 FOR UPDATE",
    [lease.run],
  );
  refuseStale(lease, row);
  refuseOutOfOrder(lease, row?.seq ?? 0, records);
}

/** Records, the ledger rows that are part of them, and what they say about the run. */
export async function insertRecords(query: Query, run: string, records: readonly StampedRecord[]): Promise<void> {
  await query(
    `INSERT INTO journal (run, seq, record)
     SELECT $1, seq, record FROM unnest($2::bigint[], $3::text[]) AS added (seq, record)`,
    [run, records.map((record) => record.seq), records.map((record) => JSON.stringify(record))],
  );
  for (const record of records) await insertRows(query, record);
  await updateRun(query, run, records);
}

async function insertRows(query: Query, record: StampedRecord): Promise<void> {
  for (const { table, values } of ledgerRows(record)) {
    const columns = LEDGER_TABLES[table];
    const places = columns.map((_column, index) => `$${index + 1}`);
    // The first witness stands; a second one must not fail the append that carries it.
    await query(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places.join(", ")}) ON CONFLICT DO NOTHING`,
      values,
    );
  }
}

async function updateRun(query: Query, run: string, records: readonly StampedRecord[]): Promise<void> {
  const status = records.map(statusAfter).findLast((after) => after !== undefined);
  await query(
    `UPDATE runs SET seq = seq + $2, status = coalesce($3, status),
       exit = CASE WHEN $3::text IS NULL THEN exit ELSE $4 END,
       reason = CASE WHEN $3::text IS NULL THEN reason ELSE $5 END
     WHERE id = $1`,
    [run, records.length, status?.status ?? null, status?.exit ?? null, storable(status?.reason ?? null)],
  );
}

/** Postgres keeps no NUL in text. */
const storable = (text: string | null): string | null => text?.replaceAll("\u0000", "\ufffd") ?? null;
