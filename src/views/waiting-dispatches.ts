import { isQuotaFailure } from "../core/budget/quota.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { RecordHandlers } from "./record-handlers.ts";

/** A dispatch that waits between two attempts. */
export type WaitingDispatch = {
  readonly role: string;
  readonly instance: string;
  readonly task?: string;
  /** Undefined if a person decides when to retry. */
  readonly untilMs?: number;
  readonly because: string;
  /** The agent's usage limit is reached. */
  readonly usedUp: boolean;
};

type DispatchRecord = JournalRecord<"agent.started" | "agent.finished" | "agent.retried">;

export function createWaitingDispatches() {
  /** The latest record of each dispatch that has not ended. */
  const last = new Map<string, DispatchRecord>();
  const remember = (record: DispatchRecord): void => void last.set(record.key, record);
  const taking: RecordHandlers = {
    "agent.started": remember,
    "agent.finished": remember,
    "agent.retried": remember,
    "step.finished": ({ key }) => void last.delete(key),
  };
  return {
    taking,
    view: (): readonly WaitingDispatch[] => [...last.values()].flatMap(toWaitingDispatch),
  };
}

function toWaitingDispatch(record: DispatchRecord): WaitingDispatch[] {
  const { role, instance, task } = record;
  const who = { role, instance, ...(task === undefined ? {} : { task }) };
  if (record.type === "agent.retried") {
    const { because, ts, waitMs } = record;
    return [{ ...who, untilMs: ts + waitMs, because: because.message, usedUp: isQuotaFailure(because) }];
  }
  if (record.type === "agent.started" || !record.failure || !isQuotaFailure(record.failure)) return [];
  return [{ ...who, because: record.failure.message, usedUp: true }];
}
