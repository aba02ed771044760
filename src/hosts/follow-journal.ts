import type { JournalRecord } from "../core/journal/record.ts";
import type { PageStart } from "../core/ports/host.ts";
import { journalOf, type Notifier } from "./notifier.ts";

/** Without `most`, all of them. */
export type Load = (run: string, from: Pick<PageStart, "after"> & Partial<PageStart>) => readonly JournalRecord[];

export type Following = {
  readonly notifier: Notifier;
  readonly load: Load;
  readonly run: string;
  readonly after: number;
  readonly signal: AbortSignal;
};

/** Whoever follows a long run from its beginning holds no more of it than this. */
const PAGE = 1_000;

/** The history, then what comes: reads on from the last number it gave, so nothing is missed or given twice. */
export async function* following({ notifier, load, run, after, signal }: Following): AsyncGenerator<JournalRecord> {
  let last = after;
  while (!signal.aborted) {
    const seen = notifier.count(journalOf(run));
    const records = load(run, { after: last, most: PAGE });
    for (const record of records) {
      if (signal.aborted) return;
      yield record;
      last = record.seq;
    }
    if (records.length === 0) await notifier.after(journalOf(run), seen, signal);
  }
}
