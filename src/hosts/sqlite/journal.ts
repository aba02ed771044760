import type { DatabaseSync } from "node:sqlite";
import { SignalboxError } from "../../core/errors.ts";
import type { Claim, Host, Stamped } from "../../core/ports/host.ts";
import type { JournalRecord } from "../../core/record.ts";
import { statusAfter } from "../../core/run-status.ts";
import { type Bells, journalOf } from "../bells.ts";
import { following } from "../following.ts";
import { ledgerWriter } from "../ledger/write.ts";
import { refuseOutOfOrder, refuseStale } from "../refusal.ts";
import type { Commits } from "./commits.ts";
import { storeFailure } from "./failure.ts";
import { holderOf } from "./runs.ts";

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
    load: async (run, after = 0) => load(run, after),
    append: async (claim, records) => {
      await commits.run(() => append(claim, records));
      bells.ring(journalOf(claim.run));
    },
    follow: (run, after, signal) => following({ bells, load, run, after, signal: AbortSignal.any([signal, closed]) }),
  };
}

function appender(db: DatabaseSync): (claim: Claim, records: readonly Stamped[]) => void {
  const holder = holderOf(db);
  const last = db.prepare("SELECT COALESCE(MAX(seq), 0) AS seq FROM journal WHERE run = ?");
  const insert = db.prepare("INSERT INTO journal (run, seq, ts, type, fact, hash) VALUES (?, ?, ?, ?, ?, ?)");
  const tell = db.prepare("UPDATE runs SET status = ?, exit = ?, reason = ? WHERE id = ?");
  const writeRows = ledgerWriter(db);
  return (claim, records) => {
    refuseStale(claim, holder(claim.run));
    refuseOutOfOrder(claim, Number(last.get(claim.run)?.["seq"]), records);
    for (const record of records) {
      const { v, seq, ts, run, hash, ...fact } = record;
      insert.run(run, seq, ts, fact.type, JSON.stringify(fact), hash);
      writeRows(record);
      const status = statusAfter(record);
      if (status) tell.run(status.status, status.exit, status.reason, run);
    }
  };
}

function loader(db: DatabaseSync, file: string): (run: string, after: number) => JournalRecord[] {
  const select = db.prepare("SELECT seq, ts, fact, hash FROM journal WHERE run = ? AND seq > ? ORDER BY seq");
  return (run, after) => {
    try {
      return select.all(run, after).map(({ seq, ts, fact, hash }) => {
        const stamp = { v: 1, seq, ts, run, hash };
        return { ...parsed(run, Number(seq), String(fact)), ...stamp } as JournalRecord; // as `append` wrote it
      });
    } catch (error) {
      throw storeFailure(error, file);
    }
  };
}

function parsed(run: string, seq: number, fact: string): object {
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
