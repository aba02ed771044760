import { PREFLIGHT } from "../../core/authoring/preflight.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord, RecordBody } from "../../core/journal/record.ts";

type Fork = {
  readonly records: readonly JournalRecord[];
  readonly phase: string;
  /** The new run: what the old one has seen and made of itself is this one's from now on. */
  readonly run: string;
};

/**
 * What a new run may take over from an older one: the finished steps that came before a phase. A step that was under
 * way when the phase began is left out, so it is done again.
 */
export function recordsBefore({ records, phase, run }: Fork): readonly RecordBody[] {
  const end = records.findIndex((record) => record.type === "step.started" && record.phase === phase);
  if (end < 0) throw notReached(records, phase);
  const before = records.slice(0, end);
  const finished = new Set(
    before.flatMap((record) =>
      record.type === "step.finished" || record.type === "phase.skipped" ? [record.key] : [],
    ),
  );
  return before.flatMap((record) => {
    // A new run looks for itself whether its commands can run.
    if (!("key" in record) || !finished.has(record.key) || isPreflight(record.key)) return [];
    const { v: _v, seq: _seq, ts: _ts, run: older, chain: _chain, ...fact } = record;
    // A record without its stamp is the fact that was recorded.
    return [renamed(fact as RecordBody, older, run)];
  });
}

const isPreflight = (key: string): boolean => key.startsWith(`${PREFLIGHT}/`);

/**
 * Only what the pipeline gets to see: files that name the run which holds them, branches that are called after it. Where
 * output and transcripts lie stays as it was.
 */
function renamed(fact: RecordBody, older: string, run: string): RecordBody {
  if (fact.type !== "step.finished" || older === run) return fact;
  // The same fact with another name in its texts.
  return JSON.parse(JSON.stringify(fact).replaceAll(older, run)) as RecordBody;
}

function notReached(records: readonly JournalRecord[], phase: string): SignalboxError {
  const reached = new Set(records.flatMap((record) => (record.type === "step.started" ? [record.phase] : [])));
  return new SignalboxError(
    "INPUT_INVALID",
    `The run ${records[0]?.run ?? ""} never came to the phase "${phase}".`,
    `It came to: ${[...reached].join(", ") || "none"}.`,
  );
}
