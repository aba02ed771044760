import type { DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { getStatusAfter } from "../../core/journal/run-status.ts";
import type { Host, Lease, StampedRecord } from "../../core/ports/host.ts";
import { type RunOwnership, refuseOutOfOrder, refuseStale } from "../errors.ts";
import { followRecords, type LoadRecords } from "../follow-journal.ts";
import { createLedgerWriter } from "../ledger/ledger-writer.ts";
import { formatJournalTopic, type Notifier } from "../notifier.ts";
import { createStoreReader } from "./failure.ts";
import type { Commits } from "./group-commit.ts";

export type SqliteJournalDeps = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly commits: Commits;
  readonly notifier: Notifier;
  readonly closed: AbortSignal;
};

export function createSqliteJournal({ db, file, commits, notifier, closed }: SqliteJournalDeps): Host["journal"] {
  const load = createRecordLoader(db, file);
  const append = createAppender(db);
  return {
    load: async (run, after = 0) => load(run, { after }),
    page: async (run, from) => load(run, from),
    append: async (lease, records) => {
      await commits.run(() => append(lease, records));
      notifier.ring(formatJournalTopic(lease.run));
    },
    follow: (run, after, signal) =>
      followRecords({ notifier, load, run, after, signal: AbortSignal.any([signal, closed]) }),
  };
}

function createAppender(db: DatabaseSync): (lease: Lease, records: readonly StampedRecord[]) => void {
  const state = db.prepare(
    "SELECT owner, fence, (SELECT MAX(seq) FROM journal WHERE run = runs.id) AS last FROM runs WHERE id = ?",
  );
  const write = createRecordWriter(db);
  return (lease, records) => {
    const held = state.get(lease.run) as (RunOwnership & { last: number | null }) | undefined; // as the query names them
    refuseStale(lease, held);
    refuseOutOfOrder(lease, held?.last ?? 0, records);
    write(records);
  };
}

/** Writes records, their ledger rows and the resulting status of the run. */
export function createRecordWriter(db: DatabaseSync): (records: readonly StampedRecord[]) => void {
  const insert = db.prepare("INSERT INTO journal (run, seq, ts, type, fact, chain) VALUES (?, ?, ?, ?, ?, ?)");
  const tell = db.prepare("UPDATE runs SET status = ?, exit = ?, reason = ? WHERE id = ?");
  const writeRows = createLedgerWriter(db);
  return (records) => {
    for (const record of records) {
      const { v, seq, ts, run, chain, ...fact } = record;
      insert.run(run, seq, ts, fact.type, JSON.stringify(fact), chain);
      writeRows(record);
      const status = getStatusAfter(record);
      if (status) tell.run(status.status, status.exit, status.reason, run);
    }
  };
}

function createRecordLoader(db: DatabaseSync, file: string): LoadRecords {
  const select = db.prepare(
    "SELECT seq, ts, type, fact, chain FROM journal WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const read = createStoreReader(file);
  return (run, { after, most = ALL }) =>
    read(() => select.all(run, after, most)).map(({ seq, ts, type, fact, chain }) => {
      // Assigns onto the parsed object to avoid a copy of each record.
      const record = Object.assign(parseFact(run, Number(seq), String(fact)), { v: 1, seq, ts, run, chain });
      if (!("type" in record) || record.type !== type)
        throw createDamagedRecordError(run, Number(seq), `it is stored as type "${type}"`);
      return record as JournalRecord; // `append` wrote it
    });
}

/** -1 means no limit in SQLite. */
const ALL = -1;

export function parseFact(run: string, seq: number, fact: string): object {
  try {
    return JSON.parse(fact);
  } catch (error) {
    throw createDamagedRecordError(run, seq, error instanceof Error ? error.message : String(error), error);
  }
}

function createDamagedRecordError(run: string, seq: number, why: string, cause?: unknown): SignalboxError {
  return new SignalboxError(
    "JOURNAL_DAMAGED",
    `Could not read record ${seq} of run ${run}: ${why}.`,
    "The database was changed by another program. Restore a backup.",
    { cause },
  );
}
