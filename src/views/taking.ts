import type { JournalRecord, RecordType } from "../core/journal/record.ts";

/** The step that a record belongs to, as long as it has not ended. */
export type Step = JournalRecord<"step.started">;

/** What a part of a view takes in, by the type of the record: of most records most parts hear nothing. */
export type Taking = {
  readonly [T in RecordType]?: (record: JournalRecord<T>, step: Step | undefined) => void;
};

type Heard = (record: JournalRecord, step: Step | undefined) => void;

/** Who hears of each type of record, in the order of the parts. */
export function hearersOf(parts: readonly Taking[]): ReadonlyMap<string, readonly Heard[]> {
  const hearers = new Map<string, Heard[]>();
  for (const [type, heard] of parts.flatMap((part) => Object.entries(part))) {
    // Under a type stands what takes records of that type.
    hearers.set(type, [...(hearers.get(type) ?? []), heard as Heard]);
  }
  return hearers;
}
