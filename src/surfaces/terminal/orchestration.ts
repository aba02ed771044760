import type { JournalRecord } from "../../core/record.ts";

/**
 * How long engines were up with neither an agent nor a check nor a person at work: what the orchestration itself
 * costs. An engine that was killed counts until its last record.
 */
export function orchestrationMs(records: readonly JournalRecord[]): number {
  const orchestration = createOrchestration();
  for (const record of records) orchestration.take(record);
  return orchestration.ms();
}

type Span = { readonly from: number; readonly to: number };

export function createOrchestration() {
  const up: Span[] = [];
  const busy: Span[] = [];
  const open = new Map<string, number>();
  let from: number | undefined;
  let latest = 0;
  return {
    take(record: JournalRecord): void {
      if (record.type === "engine.started") {
        if (from !== undefined) up.push({ from, to: latest });
        from = record.ts;
      }
      latest = record.ts;
      const begins = beginning(record);
      if (begins) open.set(begins, record.ts);
      const ends = ending(record) ?? "";
      const since = open.get(ends);
      if (since !== undefined) busy.push({ from: since, to: record.ts });
      open.delete(ends);
    },
    ms(): number {
      const sessions = from === undefined ? up : [...up, { from, to: latest }];
      const now = [...open.values()].map((since) => ({ from: since, to: latest }));
      const spans = merged([...busy, ...now]);
      return sessions.reduce((sum, session) => sum + (session.to - session.from) - overlap(session, spans), 0);
    },
  };
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
