import type { JournalRecord } from "../core/journal/record.ts";
import { hasTrait } from "../core/journal/step-verbs.ts";

/**
 * How long engines were up with neither an agent nor a check nor a person at work: what the orchestration itself
 * costs. An engine that was killed counts until its last record.
 */
export function createOrchestration() {
  /** What keeps somebody else busy. */
  const busy = new Set<string>();
  let ms = 0;
  let latest: number | undefined;
  return {
    take(record: JournalRecord): void {
      // Before the first engine, and between one and the next, none was up.
      if (latest !== undefined && busy.size === 0 && record.type !== "engine.started") ms += record.ts - latest;
      if (latest !== undefined || record.type === "engine.started") latest = record.ts;
      const [begins, ends] = [beginning(record), ending(record)];
      if (begins) busy.add(begins);
      if (ends) busy.delete(ends);
    },
    ms: () => ms,
  };
}

function beginning(record: JournalRecord): string | undefined {
  if (record.type === "agent.started") return `agent ${record.key}@${record.attempt}`;
  if (record.type === "approval.requested") return `approval ${record.approval}`;
  return record.type === "step.started" && hasTrait(record.verb, "runsCommands") ? `step ${record.key}` : undefined;
}

function ending(record: JournalRecord): string | undefined {
  if (record.type === "agent.finished") return `agent ${record.key}@${record.attempt}`;
  if (record.type === "approval.decided") return `approval ${record.approval}`;
  return record.type === "step.finished" ? `step ${record.key}` : undefined;
}
