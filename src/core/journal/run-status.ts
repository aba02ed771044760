import type { RecordBody } from "./record.ts";

export type RunStatus = { readonly status: string; readonly exit: number | null; readonly reason: string | null };

/** Returns the run's status after this record, or undefined if the record does not change it. */
export function getStatusAfter(fact: RecordBody): RunStatus | undefined {
  if (fact.type === "run.finished" || fact.type === "run.suspended") {
    return { status: fact.status, exit: fact.exit, reason: fact.reason ?? null };
  }
  if (fact.type === "engine.started" || fact.type === "run.resumed" || fact.type === "run.started") {
    return { status: "running", exit: null, reason: null };
  }
  return undefined;
}
