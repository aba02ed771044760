import type { Failure } from "../../core/failure.ts";
import type { JournalRecord } from "../../core/record.ts";
import { only } from "./records.ts";

/** One dispatch with all its attempts. */
export type DispatchSeen = {
  readonly key: string;
  readonly phase: string;
  readonly role: string;
  readonly instance: string;
  readonly task: string;
  readonly round: number;
  readonly attempts: number;
  readonly outcome: "done" | "failed" | "interrupted" | "open";
  readonly adopted: boolean;
  readonly ms: number;
  readonly usd?: number;
  readonly changed: readonly string[];
  readonly outside: readonly string[];
  readonly failures: readonly (Failure & { readonly attempt: number })[];
};

export function dispatchesIn(records: readonly JournalRecord[]): readonly DispatchSeen[] {
  const phases = new Map(only(records, "step.started").map((step) => [step.key, step.phase]));
  const finished = Map.groupBy(only(records, "agent.finished"), (record) => record.key);
  const started = Map.groupBy(only(records, "agent.started"), (record) => record.key);
  return [...started].map(([key, attempts]) => {
    const ends = finished.get(key) ?? [];
    const { role = "", instance = "", task = "", round = 1 } = attempts[0] ?? {};
    const last = ends.length === attempts.length ? ends.at(-1) : undefined;
    const paid = ends.flatMap((end) => end.usage?.usd ?? []);
    return {
      key,
      phase: phases.get(key) ?? "",
      role,
      instance,
      task,
      round,
      attempts: attempts.length,
      outcome: last?.outcome ?? "open",
      adopted: last?.adopted ?? false,
      ms: ends.reduce((sum, end) => sum + (end.ms ?? 0), 0),
      ...(paid.length > 0 ? { usd: paid.reduce((sum, usd) => sum + usd, 0) } : {}),
      changed: last?.changed ?? [],
      outside: last?.outside ?? [],
      failures: ends.flatMap((end) => (end.failure ? [{ ...end.failure, attempt: end.attempt }] : [])),
    };
  });
}
