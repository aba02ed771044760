import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Host, Lease, StampedRecord } from "../../../core/ports/host.ts";
import { journalOf } from "../../notifier.ts";
import { appendRecords } from "./append.ts";
import type { Database, Query } from "./database.ts";
import type { Notices } from "./listen-notify.ts";

export type JournalParts = {
  readonly database: Database;
  readonly notices: Notices;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
};

export function postgresJournal({ database, notices, closing }: JournalParts): Host["journal"] {
  const page = (run: string, from: Part) => loadRecords(database.query, run, from);
  const store = async (lease: Lease, records: readonly StampedRecord[]) => {
    await appendRecords(database, lease, records);
    notices.postSoon(journalOf(lease.run));
  };
  return {
    load: (run, after = 0) => page(run, { after, most: ALL }),
    page,
    append: inTurn(store),
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

type Append = Host["journal"]["append"];
type Batch = { readonly lease: Lease; readonly records: StampedRecord[]; stored: Promise<void> };

/**
 * Appends of one run that were not waited for would race for the pool's connections: each waits for the one before, and
 * those that wait together go together.
 */
function inTurn(store: Append): Append {
  const last = new Map<string, Promise<void>>();
  const waiting = new Map<string, Batch>();
  return (lease, records) => {
    const { run } = lease;
    const batch = waiting.get(run);
    if (batch && continues(batch, lease, records)) {
      batch.records.push(...records);
      return batch.stored;
    }
    const next: Batch = { lease, records: [...records], stored: Promise.resolve() };
    next.stored = (last.get(run) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        if (waiting.get(run) === next) waiting.delete(run);
        return store(lease, next.records);
      })
      .finally(() => {
        if (last.get(run) === next.stored) last.delete(run);
      });
    waiting.set(run, next);
    last.set(run, next.stored);
    return next.stored;
  };
}

function continues(batch: Batch, lease: Lease, [first]: readonly StampedRecord[]): boolean {
  const end = batch.records.at(-1)?.seq;
  return (
    end !== undefined &&
    first?.seq === end + 1 &&
    batch.lease.fence === lease.fence &&
    batch.lease.owner === lease.owner
  );
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
