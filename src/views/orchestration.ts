import type { JournalRecord } from "../core/journal/record.ts";
import { hasTrait } from "../core/journal/step-verbs.ts";

/**
 * Measures how long engines were up while no agent, check or person was working: the cost of the orchestration itself.
 * A killed engine counts until its last record.
 */
export function createOrchestrationTimer() {
  /** Agents, steps and approvals that are in progress. */
  const busy = new Set<string>();
  let ms = 0;
  let latest: number | undefined;
  return {
    take(record: JournalRecord): void {
      // No engine is up before the first start and between two engines.
      if (latest !== undefined && busy.size === 0 && record.type !== "engine.started") ms += record.ts - latest;
      if (latest !== undefined || record.type === "engine.started") latest = record.ts;
      const [begins, ends] = [getStartedActivity(record), getEndedActivity(record)];
      if (begins) busy.add(begins);
      if (ends) busy.delete(ends);
    },
    ms: () => ms,
  };
}

function getStartedActivity(record: JournalRecord): string | undefined {
  if (record.type === "agent.started") return `agent ${record.key}@${record.attempt}`;
  if (record.type === "approval.requested") return `approval ${record.approval}`;
  return record.type === "step.started" && hasTrait(record.verb, "runsCommands") ? `step ${record.key}` : undefined;
}

function getEndedActivity(record: JournalRecord): string | undefined {
  if (record.type === "agent.finished") return `agent ${record.key}@${record.attempt}`;
  if (record.type === "approval.decided") return `approval ${record.approval}`;
  return record.type === "step.finished" ? `step ${record.key}` : undefined;
}
