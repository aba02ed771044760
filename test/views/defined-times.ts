import type { JournalRecord } from "../../src/core/journal/record.ts";

type Span = { readonly from: number; readonly to: number };

/** Returns the time that at least one of the spans covers. */
export function covered(spans: readonly Span[]): number {
  return mergeSpans(spans).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Returns how long engines were up while no agent, check or person was working. */
export function orchestrationIn(records: readonly JournalRecord[]): number {
  const busy = mergeSpans(listBusySpans(records));
  return listSessions(records).reduce(
    (sum, session) => sum + (session.to - session.from) - measureOverlap(session, busy),
    0,
  );
}

/** Returns a span from each engine's first record to the last one before the next engine's. */
function listSessions(records: readonly JournalRecord[]): readonly Span[] {
  const starts = records.flatMap(({ type }, at) => (type === "engine.started" ? [at] : []));
  return starts.map((at, index) => {
    const last = (starts[index + 1] ?? records.length) - 1;
    return { from: records[at]?.ts ?? 0, to: records[last]?.ts ?? 0 };
  });
}

/** Returns spans from each start to its end, or to the end of the run. */
function listBusySpans(records: readonly JournalRecord[]): readonly Span[] {
  return records.flatMap((record, at) => {
    const begins = beginning(record);
    if (begins === undefined) return [];
    const end = records.slice(at).find((each) => ending(each) === begins) ?? records.at(-1);
    return [{ from: record.ts, to: end?.ts ?? record.ts }];
  });
}

function beginning(record: JournalRecord): string | undefined {
  if (record.type === "agent.started") return `agent ${record.key}@${record.attempt}`;
  if (record.type === "approval.requested") return `approval ${record.approval}`;
  return record.type === "step.started" && record.verb === "check" ? `step ${record.key}` : undefined;
}

function ending(record: JournalRecord): string | undefined {
  if (record.type === "agent.finished") return `agent ${record.key}@${record.attempt}`;
  if (record.type === "approval.decided") return `approval ${record.approval}`;
  return record.type === "step.finished" ? `step ${record.key}` : undefined;
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const result: { from: number; to: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

function measureOverlap(session: Span, busy: readonly Span[]): number {
  return busy.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, session.to) - Math.max(from, session.from)),
    0,
  );
}
