import type { JournalRecord, RecordType } from "../core/journal/record.ts";

/** The step that a record belongs to, while it has not ended. */
export type Step = JournalRecord<"step.started">;

/** Record handlers by record type. Most parts of a view handle few types. */
export type RecordHandlers = {
  readonly [T in RecordType]?: (record: JournalRecord<T>, step: Step | undefined) => void;
};

type RecordHandler = (record: JournalRecord, step: Step | undefined) => void;

/** Indexes the handlers of all parts by record type, in the order of the parts. */
export function indexHandlers(parts: readonly RecordHandlers[]): ReadonlyMap<string, readonly RecordHandler[]> {
  const hearers = new Map<string, RecordHandler[]>();
  for (const [type, heard] of parts.flatMap((part) => Object.entries(part))) {
    // The cast holds because each handler is stored under the type that it accepts.
    hearers.set(type, [...(hearers.get(type) ?? []), heard as RecordHandler]);
  }
  return hearers;
}
