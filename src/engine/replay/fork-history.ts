import { SignalboxError } from "../core/errors.ts";
import { PREFLIGHT } from "../core/preflight.ts";
import type { Fact, JournalRecord } from "../core/record.ts";

/**
 * What a new run may take over from an older one: the finished steps that came before a phase. A step that was under
 * way when the phase began is left out, so it is done again.
 */
export function recordsBefore(records: readonly JournalRecord[], phase: string): readonly Fact[] {
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
    const { v: _v, seq: _seq, ts: _ts, run: _run, chain: _chain, ...fact } = record;
    // A record without its stamp is the fact that was recorded.
    return [fact as Fact];
  });
}

const isPreflight = (key: string): boolean => key.startsWith(`${PREFLIGHT}/`);

function notReached(records: readonly JournalRecord[], phase: string): SignalboxError {
  const reached = new Set(records.flatMap((record) => (record.type === "step.started" ? [record.phase] : [])));
  return new SignalboxError(
    "INPUT_INVALID",
    `The run ${records[0]?.run ?? ""} never came to the phase "${phase}".`,
    `It came to: ${[...reached].join(", ") || "none"}.`,
  );
}
