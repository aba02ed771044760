import type { JournalRecord } from "../../core/record.ts";

/**
 * How long engines were up with neither an agent nor a check nor a person at work: what the orchestration itself
 * costs. An engine that was killed counts until its last record.
 */
export function orchestrationMs(records: readonly JournalRecord[]): number {
  const up = sessions(records);
  const busy = merged(occupied(records));
  return up.reduce((sum, session) => sum + (session.to - session.from) - overlap(session, busy), 0);
}

type Span = { readonly from: number; readonly to: number };

function sessions(records: readonly JournalRecord[]): Span[] {
  const spans: Span[] = [];
  let from: number | undefined;
  let latest = 0;
  for (const record of records) {
    if (record.type === "engine.started") {
      if (from !== undefined) spans.push({ from, to: latest });
      from = record.ts;
    }
    latest = record.ts;
  }
  if (from !== undefined) spans.push({ from, to: latest });
  return spans;
}

function occupied(records: readonly JournalRecord[]): Span[] {
  const open = new Map<string, number>();
  const spans: Span[] = [];
  const close = (name: string, to: number): void => {
    const from = open.get(name);
    if (from !== undefined) spans.push({ from, to });
    open.delete(name);
  };
  for (const record of records) {
    const begins = beginning(record);
    const ends = ending(record);
    if (begins) open.set(begins, record.ts);
    if (ends) close(ends, record.ts);
  }
  const end = records.at(-1)?.ts ?? 0;
  for (const name of [...open.keys()]) close(name, end);
  return spans;
}

/** What keeps somebody else busy from this record on. */
function beginning(record: JournalRecord): string | undefined {
  if (record.type === "agent.started") return `agent ${record.key}@${record.attempt}`;
  if (record.type === "approval.requested") return `approval ${record.approval}`;
  return record.type === "step.started" && record.verb === "check" ? `check ${record.key}` : undefined;
}

function ending(record: JournalRecord): string | undefined {
  if (record.type === "agent.finished") return `agent ${record.key}@${record.attempt}`;
  if (record.type === "approval.decided") return `approval ${record.approval}`;
  return record.type === "step.finished" ? `check ${record.key}` : undefined;
}

function merged(spans: readonly Span[]): Span[] {
  const result: { from: number; to: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

function overlap(session: Span, busy: readonly Span[]): number {
  return busy.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.to, session.to) - Math.max(span.from, session.from)),
    0,
  );
}
