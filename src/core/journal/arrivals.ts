import type { JournalRecord } from "./record.ts";

/** One time that a run came to a phase. */
export type Arrival = {
  /** From 1 on, in the order of the journal. */
  readonly number: number;
  /** Of the record that the phase begins with. */
  readonly index: number;
  /** The phase that it came from; the first of all comes from none. */
  readonly after: string | undefined;
};

/** A run goes back and comes again: each time its last step stood under another heading. */
export function arrivalsAt(records: readonly JournalRecord[], phase: string): readonly Arrival[] {
  const arrivals: Arrival[] = [];
  let before: string | undefined;
  for (const [index, record] of records.entries()) {
    if (record.type !== "step.started") continue;
    if (record.phase === phase && before !== phase) {
      arrivals.push({ number: arrivals.length + 1, index, after: before });
    }
    before = record.phase;
  }
  return arrivals;
}
