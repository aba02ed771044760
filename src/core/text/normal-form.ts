import type { JournalRecord } from "../journal/record.ts";
import { canonical } from "./json.ts";

/** Records about engines and machines, not about the pipeline. */
const ENGINE: ReadonlySet<string> = new Set(["engine.started", "run.resumed", "run.suspended", "letter.dropped"]);
/** Fields that differ between undisturbed runs. */
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
  // A team run stores its checkout as a commit; a local run has none.
  "checkout",
  "adopted",
  "continues",
  "digest",
  // Hash of inputs, which may contain the run or a commit. Replay compares it anyway.
  "print",
]);

/**
 * Removes time, machine and interruptions from a journal: two runs of one pipeline with the same agents have the same
 * normal form, on any host, however often their engines died. Returns one line per record, sorted by step.
 */
export function toNormalForm(records: readonly JournalRecord[]): readonly string[] {
  const run = records[0]?.run ?? "";
  const lines = removeInterruptions(records)
    .filter((record) => !ENGINE.has(record.type))
    .map((record) => ({
      key: "key" in record ? record.key : record.type === "run.started" ? "" : "\uffff",
      line: canonical(removePassingFields(removePosterRole(record))).replaceAll(run, "RUN"),
    }));
  // Branches interleave arbitrarily; within a step the order is significant.
  return lines.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map((each) => each.line);
}

/** Database role, which only a team's journal has. The role of an agent is another field and stays. */
function removePosterRole(record: JournalRecord): object {
  if (record.type !== "approval.decided") return record;
  const { role: _, ...rest } = record;
  return rest;
}

function removeInterruptions(records: readonly JournalRecord[]): readonly JournalRecord[] {
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
    // `agent.retried` is about the next attempt, so it stays whoever executed it.
    if (record.type !== "agent.retried" && gone.has(name(record.key, record.attempt))) return [];
    return [{ ...record, attempt: record.attempt - before(record.key, record.attempt) }];
  });
}

function removePassingFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removePassingFields);
  if (typeof value !== "object" || value === null) return value;
  const row = "table" in value && value.table === "pipeline_telemetry";
  // Telemetry consists of times and numbers of starts.
  if (row) return "telemetry";
  const kept = Object.entries(value).filter(([name]) => !PASSING.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, removePassingFields(inner)]));
}
