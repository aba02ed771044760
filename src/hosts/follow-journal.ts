import type { JournalRecord } from "../core/journal/record.ts";
import type { PageStart } from "../core/ports/host.ts";
import { journalOf, type Notifier } from "./notifier.ts";

/** Loads all records if `most` is missing. */
export type Load = (run: string, from: Pick<PageStart, "after"> & Partial<PageStart>) => readonly JournalRecord[];

export type Following = {
  readonly notifier: Notifier;
  readonly load: Load;
  readonly run: string;
  readonly after: number;
  readonly signal: AbortSignal;
};

/** Limits how much of a long run a follower holds in memory. */
const PAGE = 1_000;

/**
 * Yields the stored records and then new ones. Continues after the last number it yielded, so no record is missed or
 * repeated.
 */
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
