import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Played } from "./schedule.ts";

/** The records of one kind. */
export function recordsOf<T extends JournalRecord["type"]>({ records }: Played, type: T): readonly JournalRecord<T>[] {
  // The filter leaves records of that type only.
  return records.filter((record) => record.type === type) as unknown as readonly JournalRecord<T>[];
}
