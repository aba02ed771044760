import { SignalboxError } from "../../../core/failure/errors.ts";
import { type JournalRecord, RecordBody } from "../../../core/journal/record.ts";

/** Kinds of records that a person of a team can bring into a journal by a function of the database. All others are an engine's. */
const OF_PEOPLE: ReadonlySet<string> = new Set(["run.started", "run.resumed", "letter.dropped", "run.finished"]);

/** The last moment that a date can be of. */
const LAST_MS = 8.64e15;

/** Whoever wrote it past the program: one record that nobody can read must not stop those who look at all runs. */
export function refuseUnreadable(record: JournalRecord): void {
  const { type, ts, run, seq } = record;
  if (!OF_PEOPLE.has(type)) return;
  const dated = Number.isFinite(ts) && Math.abs(ts) <= LAST_MS;
  const { error } = RecordBody.safeParse(record);
  if (dated && !error) return;
  const [issue] = error?.issues ?? [];
  const why = issue ? `${issue.path.join(".")}: ${issue.message}` : "its time is none";
  throw new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of run ${run} holds what no program wrote: record ${seq}, ${type}, ${why}.`,
    "Nothing was done. Whoever submitted it wrote past the program; start a new run.",
  );
}
