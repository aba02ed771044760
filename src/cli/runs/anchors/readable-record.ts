import { SignalboxError } from "../../../core/failure/errors.ts";
import { type JournalRecord, RecordBody } from "../../../core/journal/record.ts";

/** Record types that a team member can add through a database function. All others come from an engine. */
const WRITTEN_BY_PEOPLE: ReadonlySet<string> = new Set([
  "run.started",
  "run.resumed",
  "letter.dropped",
  "run.finished",
]);

/** The latest time that a Date can represent. */
const LAST_MS = 8.64e15;

/**
 * Rejects a record that was not written by the program. A single unreadable record must not stop commands that list all
 * runs.
 */
export function refuseUnreadable(record: JournalRecord): void {
  const { type, ts, run, seq } = record;
  if (!WRITTEN_BY_PEOPLE.has(type)) return;
  const dated = Number.isFinite(ts) && Math.abs(ts) <= LAST_MS;
  const { error } = RecordBody.safeParse(record);
  if (dated && !error) return;
  const [issue] = error?.issues ?? [];
  const why = issue ? `${issue.path.join(".")}: ${issue.message}` : "its time is invalid";
  throw new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of run ${run} contains a record that signalbox did not write: record ${seq}, ${type}, ${why}.`,
    "Nothing was changed. Start a new run.",
  );
}
