import { failedPhases } from "../../core/failed-phases.ts";
import { PREFLIGHT } from "../../core/preflight.ts";
import type { JournalRecord } from "../../core/record.ts";
import { only } from "./records.ts";

export type PhaseTimes = {
  readonly title: string;
  readonly state: "done" | "failed" | "open" | "skipped" | "not started";
  readonly reason?: string;
  readonly startedAt?: number;
  /** How long some step of it was under way: a phase that is visited twice has two stretches. */
  readonly ms: number;
  readonly dispatches: number;
  readonly retries: number;
};

/** Every phase that was declared, in that order after what came before all of them, and what was spent in it. */
export function phaseTimes(records: readonly JournalRecord[]): readonly PhaseTimes[] {
  const declared = only(records, "run.started")[0]?.phases ?? [];
  const steps = only(records, "step.started");
  const visited = steps.map((step) => step.phase);
  const titles = [...new Set([...visited.filter((title) => title === PREFLIGHT), ...declared, ...visited])];
  const skipped = new Map(only(records, "phase.skipped").map((record) => [record.title, record.reason]));
  const failed = failedPhases(records);
  const end = records.at(-1)?.ts ?? 0;
  const ended = new Map(only(records, "step.finished").map((step) => [step.key, step.ts]));
  return titles.map((title) => {
    const mine = steps.filter((step) => step.phase === title);
    const keys = new Set(mine.map((step) => step.key));
    const first = mine[0];
    if (!first) return notVisited(title, skipped.get(title));
    const reason = failed.get(title);
    const closed = reason === undefined ? ({ state: "done" } as const) : ({ state: "failed", reason } as const);
    return {
      title,
      ...(mine.every((step) => ended.has(step.key)) ? closed : { state: "open" as const }),
      startedAt: first.ts,
      ms: covered(mine.map((step) => ({ from: step.ts, to: ended.get(step.key) ?? end }))),
      dispatches: only(records, "agent.started").filter((record) => keys.has(record.key)).length,
      retries: only(records, "agent.retried").filter((record) => keys.has(record.key)).length,
    };
  });
}

function notVisited(title: string, reason: string | undefined): PhaseTimes {
  const nothing = { title, ms: 0, dispatches: 0, retries: 0 };
  return reason === undefined ? { ...nothing, state: "not started" } : { ...nothing, state: "skipped", reason };
}

function covered(spans: readonly { readonly from: number; readonly to: number }[]): number {
  let [total, until] = [0, 0];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}
