import type { JournalRecord } from "../core/journal/record.ts";
import type { PageStart } from "../core/ports/host.ts";
import { formatJournalTopic, type Notifier } from "./notifier.ts";

/** Loads all records if `most` is missing. */
export type LoadRecords = (
  run: string,
  from: Pick<PageStart, "after"> & Partial<PageStart>,
) => readonly JournalRecord[];

export type FollowRequest = {
  readonly notifier: Notifier;
  readonly load: LoadRecords;
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
export async function* followRecords({
  notifier,
  load,
  run,
  after,
  signal,
}: FollowRequest): AsyncGenerator<JournalRecord> {
  let last = after;
  while (!signal.aborted) {
    const seen = notifier.count(formatJournalTopic(run));
    const records = load(run, { after: last, most: PAGE });
    for (const record of records) {
      if (signal.aborted) return;
      yield record;
      last = record.seq;
    }
    if (records.length === 0) await notifier.after(formatJournalTopic(run), seen, signal);
  }
}
