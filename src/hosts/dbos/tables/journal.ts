import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Host, Lease, StampedRecord } from "../../../core/ports/host.ts";
import { formatJournalTopic } from "../../notifier.ts";
import { appendRecords } from "./append.ts";
import type { Database, Query } from "./database.ts";
import type { Notices } from "./listen-notify.ts";

export type PostgresJournalDeps = {
  readonly database: Database;
  readonly notices: Notices;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
};

export function createPostgresJournal({ database, notices, closing }: PostgresJournalDeps): Host["journal"] {
  const loadPage = (run: string, from: RecordRange) => loadRecords(database.query, run, from);
  const store = async (lease: Lease, records: readonly StampedRecord[]) => {
    await appendRecords(database, lease, records);
    notices.postSoon(formatJournalTopic(lease.run));
  };
  return {
    load: (run, after = 0) => loadPage(run, { after, most: ALL }),
    page: loadPage,
    append: serializeAppends(store),
    async *follow(run, after, signal) {
      const ended = AbortSignal.any([signal, closing]);
      let last = after;
      while (!ended.aborted) {
        await notices.listening();
        const rung = notices.notifier.count(formatJournalTopic(run));
        const records = ended.aborted ? [] : await loadPage(run, { after: last, most: PAGE });
        for (const record of records) {
          if (ended.aborted) return;
          yield record;
          last = record.seq;
        }
        if (records.length === 0) await notices.notifier.after(formatJournalTopic(run), rung, ended);
      }
    },
  };
}

type AppendRecords = Host["journal"]["append"];
type AppendBatch = { readonly lease: Lease; readonly records: StampedRecord[]; stored: Promise<void> };

/**
 * Serializes the appends of a run, so that unawaited ones do not race for connections. Appends that wait together are
 * stored together.
 */
function serializeAppends(store: AppendRecords): AppendRecords {
  const last = new Map<string, Promise<void>>();
  const waiting = new Map<string, AppendBatch>();
  return (lease, records) => {
    const { run } = lease;
    const batch = waiting.get(run);
    if (batch && continuesBatch(batch, lease, records)) {
      batch.records.push(...records);
      return batch.stored;
    }
    const next: AppendBatch = { lease, records: [...records], stored: Promise.resolve() };
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

function continuesBatch(batch: AppendBatch, lease: Lease, [first]: readonly StampedRecord[]): boolean {
  const end = batch.records.at(-1)?.seq;
  return (
    end !== undefined &&
    first?.seq === end + 1 &&
    batch.lease.fence === lease.fence &&
    batch.lease.owner === lease.owner
  );
}

/** NULL means no limit in Postgres. */
const ALL = null;
/** Limits how much of a long run a follower holds in memory. */
const PAGE = 1_000;

type RecordRange = { readonly after: number; readonly most: number | null };

async function loadRecords(query: Query, run: string, { after, most }: RecordRange): Promise<readonly JournalRecord[]> {
  const rows = await query<{ record: string }>(
    "SELECT record FROM journal WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    [run, after, most],
  );
  // This column is written by `append` only, which takes records.
  return rows.map((row) => JSON.parse(row.record) as JournalRecord);
}
