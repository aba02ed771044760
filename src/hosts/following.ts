import type { JournalRecord } from "../core/record.ts";
import { type Bells, journalOf } from "./bells.ts";

export type Following = {
  readonly bells: Bells;
  readonly load: (run: string, after: number) => readonly JournalRecord[];
  readonly run: string;
  readonly after: number;
  readonly signal: AbortSignal;
};

/** The history, then what comes: reads on from the last number it gave, so nothing is missed or given twice. */
export async function* following({ bells, load, run, after, signal }: Following): AsyncGenerator<JournalRecord> {
  let last = after;
  while (!signal.aborted) {
    const seen = bells.count(journalOf(run));
    const records = load(run, last);
    for (const record of records) {
      if (signal.aborted) return;
      yield record;
      last = record.seq;
    }
    if (records.length === 0) await bells.after(journalOf(run), seen, signal);
  }
}
