import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Played } from "./schedule.ts";

/** Returns the records of one type. */
export function recordsOf<T extends JournalRecord["type"]>({ records }: Played, type: T): readonly JournalRecord<T>[] {
  // The filter keeps only records of that type.
  return records.filter((record) => record.type === type) as unknown as readonly JournalRecord<T>[];
}
