import { PREFLIGHT } from "../../core/authoring/preflight.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type Arrival, listArrivals } from "../../core/journal/arrivals.ts";
import type { JournalRecord, RecordBody } from "../../core/journal/record.ts";

export type ForkPoint = {
  readonly records: readonly JournalRecord[];
  readonly phase: string;
  /** The number of the visit to the phase; the last one if absent. */
  readonly arrival?: number | undefined;
  /** The id of the new run. It replaces the old id in what the old run has seen and made. */
  readonly run: string;
};

/**
 * Selects the records that a new run may take over from an older one: the finished steps before a phase. A step that
 * was running when the phase began is left out, so it is done again.
 */
export function selectRecordsBefore({ records, phase, arrival, run }: ForkPoint): readonly RecordBody[] {
  const before = records.slice(0, requireArrival({ records, phase, arrival }).index);
  const finished = new Set(
    before.flatMap((record) =>
      record.type === "step.finished" || record.type === "phase.skipped" ? [record.key] : [],
    ),
  );
  return before.flatMap((record) => {
    // A new run checks for itself whether its commands can run.
    if (!("key" in record) || !finished.has(record.key) || isPreflight(record.key)) return [];
    return [replaceRunId(removeStamp(record), record.run, run)];
  });
}

function removeStamp({ v: _v, seq: _seq, ts: _ts, run: _run, chain: _chain, ...fact }: JournalRecord): RecordBody {
  // A record without its stamp is the fact that was recorded.
  return fact as RecordBody;
}

type TakenRecords = Omit<ForkPoint, "arrival"> & {
  /** The records that the new run claims to have from the older one. */
  readonly taken: readonly JournalRecord[];
};

/** Lists the visits of the older run to the phase that have exactly these finished steps before them. */
export function findArrivals({ records, phase, run, taken }: TakenRecords): readonly Arrival[] {
  const said = JSON.stringify(taken.map(removeStamp));
  return listArrivals(records, phase).filter(
    ({ number }) => JSON.stringify(selectRecordsBefore({ records, phase, arrival: number, run })) === said,
  );
}

/** @throws if the run never reached the phase, or not as often. */
export function requireArrival({ records, phase, arrival }: Omit<ForkPoint, "run">): Arrival {
  const all = listArrivals(records, phase);
  const found = arrival === undefined ? all.at(-1) : all[arrival - 1];
  if (found) return found;
  throw all.length === 0
    ? createNotReachedError(records, phase)
    : createTooFewArrivalsError(records, phase, all.length);
}

function createTooFewArrivalsError(records: readonly JournalRecord[], phase: string, times: number): SignalboxError {
  const id = records[0]?.run ?? "";
  const often = times === 1 ? "once" : `${times} times`;
  const numbers = Array.from({ length: times }, (_, at) => `${id}:${phase}#${at + 1}`);
  return new SignalboxError(
    "INPUT_INVALID",
    `Run ${id} reached the phase "${phase}" only ${often}.`,
    `Name one of these: ${numbers.join(", ")}.`,
  );
}

const isPreflight = (key: string): boolean => key.startsWith(`${PREFLIGHT}/`);

/**
 * Replaces the run id only in what the pipeline sees: files that name their run, and branches named after it. Locations
 * of output and transcripts stay.
 */
function replaceRunId(fact: RecordBody, older: string, run: string): RecordBody {
  if (fact.type !== "step.finished" || older === run) return fact;
  // The same fact with another id in its texts.
  return JSON.parse(JSON.stringify(fact).replaceAll(older, run)) as RecordBody;
}

function createNotReachedError(records: readonly JournalRecord[], phase: string): SignalboxError {
  const reached = new Set(records.flatMap((record) => (record.type === "step.started" ? [record.phase] : [])));
  return new SignalboxError(
    "INPUT_INVALID",
    `Run ${records[0]?.run ?? ""} never reached the phase "${phase}".`,
    `It reached: ${[...reached].join(", ") || "none"}.`,
  );
}
