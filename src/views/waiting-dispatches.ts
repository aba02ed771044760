import type { JournalRecord } from "../../core/record.ts";
import { isUsedUp } from "../../core/usage-window.ts";

/** A dispatch between two attempts. */
export type RestingView = {
  readonly role: string;
  readonly instance: string;
  readonly task?: string;
  /** Undefined where a person decides when it goes on. */
  readonly untilMs?: number;
  readonly because: string;
  /** The usage window of its agent is used up. */
  readonly usedUp: boolean;
};

type Dispatched = JournalRecord<"agent.started" | "agent.finished" | "agent.retried">;

export function createResting() {
  /** The newest word on each dispatch that has not ended. */
  const last = new Map<string, Dispatched>();
  return {
    take(record: JournalRecord): void {
      if (record.type === "step.finished") last.delete(record.key);
      if (record.type === "agent.started" || record.type === "agent.finished" || record.type === "agent.retried")
        last.set(record.key, record);
    },
    view: (): readonly RestingView[] => [...last.values()].flatMap(resting),
  };
}

function resting(record: Dispatched): RestingView[] {
  const { role, instance, task } = record;
  const who = { role, instance, ...(task === undefined ? {} : { task }) };
  if (record.type === "agent.retried") {
    const { because, ts, waitMs } = record;
    return [{ ...who, untilMs: ts + waitMs, because: because.message, usedUp: isUsedUp(because) }];
  }
  if (record.type === "agent.started" || !record.failure || !isUsedUp(record.failure)) return [];
  return [{ ...who, because: record.failure.message, usedUp: true }];
}
