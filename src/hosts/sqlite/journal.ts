import type { DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { statusAfter } from "../../core/journal/run-status.ts";
import type { Host, Lease, StampedRecord } from "../../core/ports/host.ts";
import { type Ownership, refuseOutOfOrder, refuseStale } from "../errors.ts";
import { following, type Load } from "../follow-journal.ts";
import { ledgerWriter } from "../ledger/write.ts";
import { journalOf, type Notifier } from "../notifier.ts";
import { readFrom } from "./failure.ts";
import type { Commits } from "./group-commit.ts";

export type JournalParts = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly commits: Commits;
  readonly notifier: Notifier;
  readonly closed: AbortSignal;
};

export function sqliteJournal({ db, file, commits, notifier, closed }: JournalParts): Host["journal"] {
  const load = loader(db, file);
  const append = appender(db);
  return {
    load: async (run, after = 0) => load(run, { after }),
    page: async (run, from) => load(run, from),
    append: async (lease, records) => {
      await commits.run(() => append(lease, records));
      notifier.ring(journalOf(lease.run));
    },
    follow: (run, after, signal) =>
      following({ notifier, load, run, after, signal: AbortSignal.any([signal, closed]) }),
  };
}

function appender(db: DatabaseSync): (lease: Lease, records: readonly StampedRecord[]) => void {
  const state = db.prepare(
    "SELECT owner, fence, (SELECT MAX(seq) FROM journal WHERE run = runs.id) AS last FROM runs WHERE id = ?",
  );
  const write = recordWriter(db);
  return (lease, records) => {
    const held = state.get(lease.run) as (Ownership & { last: number | null }) | undefined; // as the query names them
    refuseStale(lease, held);
    refuseOutOfOrder(lease, held?.last ?? 0, records);
    write(records);
  };
}

/** Records, the ledger rows that are part of them, and what they say about the run. */
export function recordWriter(db: DatabaseSync): (records: readonly StampedRecord[]) => void {
  const insert = db.prepare("INSERT INTO journal (run, seq, ts, type, fact, chain) VALUES (?, ?, ?, ?, ?, ?)");
  const tell = db.prepare("UPDATE runs SET status = ?, exit = ?, reason = ? WHERE id = ?");
  const writeRows = ledgerWriter(db);
  return (records) => {
    for (const record of records) {
      const { v, seq, ts, run, chain, ...fact } = record;
      insert.run(run, seq, ts, fact.type, JSON.stringify(fact), chain);
      writeRows(record);
      const status = statusAfter(record);
      if (status) tell.run(status.status, status.exit, status.reason, run);
    }
  };
}

function loader(db: DatabaseSync, file: string): Load {
  const select = db.prepare(
    "SELECT seq, ts, type, fact, chain FROM journal WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const read = readFrom(file);
  return (run, { after, most = ALL }) =>
    read(() => select.all(run, after, most)).map(({ seq, ts, type, fact, chain }) => {
      // Onto what was read, not into a copy of it: long runs are made of many records.
      const record = Object.assign(factOf(run, Number(seq), String(fact)), { v: 1, seq, ts, run, chain });
      if (!("type" in record) || record.type !== type) throw damaged(run, Number(seq), `it is filed as "${type}"`);
      return record as JournalRecord; // as `append` wrote it
    });
}

/** As SQLite spells "no limit". */
const ALL = -1;

export function factOf(run: string, seq: number, fact: string): object {
  try {
    return JSON.parse(fact);
  } catch (error) {
    throw damaged(run, seq, error instanceof Error ? error.message : String(error), error);
  }
}

function damaged(run: string, seq: number, why: string, cause?: unknown): SignalboxError {
  return new SignalboxError(
    "JOURNAL_DAMAGED",
    `Record ${seq} of run ${run} cannot be read: ${why}.`,
    "The database was changed from outside. Restore a backup of it.",
    { cause },
  );
}
