import type { JournalRecord } from "./record.ts";

/** One entry of the run into a phase. */
export type Arrival = {
  /** Counted from 1 in journal order. */
  readonly number: number;
  /** Index of the first record of the phase. */
  readonly index: number;
  /** Previous phase. The first arrival has none. */
  readonly after: string | undefined;
};

/** Lists the arrivals at a phase. A run can return to it; each arrival follows a step of another phase. */
export function listArrivals(records: readonly JournalRecord[], phase: string): readonly Arrival[] {
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
