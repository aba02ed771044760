import type { DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/errors.ts";
import type { Claim, Host, Stamped } from "../../core/ports/host.ts";
import type { JournalRecord } from "../../core/record.ts";
import { statusAfter } from "../../core/run-status.ts";
import { type Bells, journalOf } from "../bells.ts";
import { following, type Load } from "../following.ts";
import { ledgerWriter } from "../ledger/write.ts";
import { type Held, refuseOutOfOrder, refuseStale } from "../refusal.ts";
import type { Commits } from "./commits.ts";
import { readFrom } from "./failure.ts";

export type JournalParts = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly commits: Commits;
  readonly bells: Bells;
  readonly closed: AbortSignal;
};

export function sqliteJournal({ db, file, commits, bells, closed }: JournalParts): Host["journal"] {
  const load = loader(db, file);
  const append = appender(db);
  return {
    load: async (run, after = 0) => load(run, { after }),
    page: async (run, from) => load(run, from),
    append: async (claim, records) => {
      await commits.run(() => append(claim, records));
      bells.ring(journalOf(claim.run));
    },
    follow: (run, after, signal) => following({ bells, load, run, after, signal: AbortSignal.any([signal, closed]) }),
  };
}

function appender(db: DatabaseSync): (claim: Claim, records: readonly Stamped[]) => void {
  const state = db.prepare(
    "SELECT owner, fence, (SELECT MAX(seq) FROM journal WHERE run = runs.id) AS last FROM runs WHERE id = ?",
  );
  const write = recordWriter(db);
  return (claim, records) => {
    const held = state.get(claim.run) as (Held & { last: number | null }) | undefined; // as the query names them
    refuseStale(claim, held);
    refuseOutOfOrder(claim, held?.last ?? 0, records);
    write(records);
  };
}

/** Records, the ledger rows that are part of them, and what they say about the run. */
export function recordWriter(db: DatabaseSync): (records: readonly Stamped[]) => void {
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
  const select = db.prepare("SELECT seq, ts, fact, chain FROM journal WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?");
  const read = readFrom(file);
  return (run, { after, most = ALL }) =>
    read(() => select.all(run, after, most)).map(({ seq, ts, fact, chain }) => {
      // Onto what was read, not into a copy of it: long runs are made of many records.
      const record = Object.assign(factOf(run, Number(seq), String(fact)), { v: 1, seq, ts, run, chain });
      return record as JournalRecord; // as `append` wrote it
    });
}

/** As SQLite spells "no limit". */
const ALL = -1;

export function factOf(run: string, seq: number, fact: string): object {
  try {
    return JSON.parse(fact);
  } catch (error) {
    throw new SignalboxError(
      "JOURNAL_DAMAGED",
      `Record ${seq} of run ${run} cannot be read: ${error instanceof Error ? error.message : error}.`,
      "The database was changed from outside. Restore a backup of it.",
      { cause: error },
    );
  }
}
