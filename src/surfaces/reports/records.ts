import type { FactType, JournalRecord } from "../../core/record.ts";

export function only<T extends FactType>(records: readonly JournalRecord[], type: T): JournalRecord<T>[] {
  return records.filter((record): record is JournalRecord<T> => record.type === type);
}
