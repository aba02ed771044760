import type { JournalRecord } from "../journal/record.ts";
import { canonical } from "./json.ts";

/** Facts about engines and their machines, not about the pipeline. */
const ENGINE: ReadonlySet<string> = new Set(["engine.started", "run.resumed", "run.suspended", "letter.dropped"]);
/** Fields that differ from one undisturbed run to the next. */
const PASSING: ReadonlySet<string> = new Set([
  "v",
  "seq",
  "ts",
  "chain",
  "ms",
  "usage",
  "nonce",
  "effect",
  "owner",
  "fence",
  "approval",
  "commit",
  // A team's run stores its checkout as a commit; a run on one machine has none.
  "checkout",
  "adopted",
  "continues",
  "digest",
  // A hash of inputs, which may name the run or a commit; a replay compares it anyway.
  "print",
]);

/**
 * A journal without what time, place and interruptions put into it: two runs of one pipeline with the same agents
 * have the same normal form, on any host, however often their engines died. One line per record, sorted by step.
 */
export function normalForm(records: readonly JournalRecord[]): readonly string[] {
  const run = records[0]?.run ?? "";
  const lines = withoutInterruptions(records)
    .filter((record) => !ENGINE.has(record.type))
    .map((record) => ({
      key: "key" in record ? record.key : record.type === "run.started" ? "" : "\uffff",
      line: canonical(settled(withoutPoster(record))).replaceAll(run, "RUN"),
    }));
  // Branches interleave as they like; within a step the order is part of what happened.
  return lines.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map((each) => each.line);
}

/** Only a team's database knows one; an agent's role is another thing, and stays. */
function withoutPoster(record: JournalRecord): object {
  if (record.type !== "approval.decided") return record;
  const { role: _, ...rest } = record;
  return rest;
}

function withoutInterruptions(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const gone = new Set<string>();
  const name = (key: string, attempt: number): string => `${key}@${attempt}`;
  for (const record of records) {
    if (record.type === "agent.finished" && record.outcome === "interrupted")
      gone.add(name(record.key, record.attempt));
  }
  const before = (key: string, attempt: number): number =>
    Array.from({ length: attempt - 1 }, (_, index) => name(key, index + 1)).filter((each) => gone.has(each)).length;
  return records.flatMap((record): JournalRecord[] => {
    if (!("attempt" in record)) return [record];
    // `agent.retried` speaks of the attempt to come: it stands, whoever carried it out in the end.
    if (record.type !== "agent.retried" && gone.has(name(record.key, record.attempt))) return [];
    return [{ ...record, attempt: record.attempt - before(record.key, record.attempt) }];
  });
}

function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== "object" || value === null) return value;
  const row = "table" in value && value.table === "pipeline_telemetry";
  // Telemetry is made of times and counts of starts.
  if (row) return "telemetry";
  const kept = Object.entries(value).filter(([name]) => !PASSING.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, settled(inner)]));
}
