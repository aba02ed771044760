import type { JournalRecord } from "./record.ts";

/** Phases that are behind a run without having come to anything, with why: the one it broke off in, and silent ones. */
export function failedPhases(records: readonly JournalRecord[]): ReadonlyMap<string, string> {
  const phases = createFailedPhases();
  for (const record of records) phases.take(record);
  return phases.failed();
}

/** The same, a record at a time. */
export function createFailedPhases() {
  const phaseOf = new Map<string, string>();
  const silent = new Set<string>();
  const delivered = new Set<string>();
  let [latest, brokeOff] = ["", false];
  return {
    take(record: JournalRecord): void {
      // An agent's end comes before that of its step.
      if (record.type === "step.finished") phaseOf.delete(record.key);
      if (record.type === "run.finished") brokeOff = record.status === "error";
      if (record.type === "step.started") {
        latest = record.phase;
        phaseOf.set(record.key, record.phase);
      }
      if (record.type !== "agent.finished") return;
      const phase = phaseOf.get(record.key);
      if (phase !== undefined) (record.outcome === "done" ? delivered : silent).add(phase);
    },
    failed(): ReadonlyMap<string, string> {
      const nothing = [...silent].filter((phase) => !delivered.has(phase));
      const failed = new Map(nothing.map((phase) => [phase, "nobody delivered"]));
      return brokeOff && latest !== "" ? failed.set(latest, "the run ended here") : failed;
    },
  };
}
