import { isQuotaFailure } from "../core/budget/quota.ts";
import type { Failure } from "../core/failure/failure.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { RecordHandlers, Step } from "./record-handlers.ts";
import { createWaitingDispatches, type WaitingDispatch } from "./waiting-dispatches.ts";

/** One attempt of a dispatch. */
export type AttemptView = {
  readonly started: JournalRecord<"agent.started">;
  readonly phase: string;
  readonly finished?: JournalRecord<"agent.finished">;
  readonly retried?: true;
};

/** One dispatch with all its attempts. */
export type DispatchReport = {
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

export type AgentView = {
  readonly role: string;
  readonly instance: string;
  readonly task?: string;
  readonly attempt: number;
  /** Continues the conversation of the previous attempt. */
  readonly continues?: true;
  readonly startedAt: number;
  /** The attempt's id, which locates its output. */
  readonly effect: string;
  /**
   * Time without output, and time left until the attempt is terminated for silence. Set only if a surface measured it.
   */
  readonly silence?: { readonly forMs: number; readonly leftMs: number };
};

export type UsageTotals = {
  readonly attempts: number;
  readonly retries: number;
  /** Attempts whose engine died while they ran. An attempt stopped in order, by a pause or a stop, does not count. */
  readonly interruptions: number;
  readonly usd: number;
  /** Attempts that did not report their cost. */
  readonly usdUnknown: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

export type AttemptsView = {
  /** In start order. */
  readonly attempts: readonly AttemptView[];
  /** Attempts that have not ended. */
  readonly agents: readonly AgentView[];
  /** Failed attempts, in the order in which they failed. */
  readonly failed: readonly AttemptView[];
  /** Dispatches that wait for a retry or for a person's decision. */
  readonly resting: readonly WaitingDispatch[];
  /** Number of retries per kind of failure. */
  readonly retries: Readonly<Record<string, number>>;
  readonly spent: UsageTotals;
};

type AttemptDraft = { -readonly [K in keyof AttemptView]: AttemptView[K] };

/** Collects running agents, waiting dispatches, failures and usage totals. */
export function createAttempts() {
  const attempts: AttemptDraft[] = [];
  const failed: AttemptDraft[] = [];
  const open = new Map<string, AttemptDraft>();
  const resting = createWaitingDispatches();
  const retries: Record<string, number> = {};
  const spent = { attempts: 0, retries: 0, interruptions: 0, usd: 0, usdUnknown: 0, inputTokens: 0, outputTokens: 0 };

  const addAttempt = (started: JournalRecord<"agent.started">, step: Step | undefined): void => {
    const attempt = { started, phase: step?.phase ?? "" };
    spent.attempts += 1;
    attempts.push(attempt);
    open.set(toAttemptKey(started), attempt);
  };
  const finishAttempt = (finished: JournalRecord<"agent.finished">): void => {
    const { usage, outcome, failure, orderly } = finished;
    if (outcome === "interrupted" && !orderly) spent.interruptions += 1;
    if (usage?.usd === undefined) spent.usdUnknown += 1;
    spent.usd += usage?.usd ?? 0;
    spent.inputTokens += usage?.inputTokens ?? 0;
    spent.outputTokens += usage?.outputTokens ?? 0;
    const attempt = open.get(toAttemptKey(finished));
    if (!attempt) return;
    attempt.finished = finished;
    open.delete(toAttemptKey(finished));
    if (failure) failed.push(attempt);
  };
  const countRetry = ({ key, attempt, because }: JournalRecord<"agent.retried">): void => {
    const kind = isQuotaFailure(because) ? "usage window" : because.class;
    retries[kind] = (retries[kind] ?? 0) + 1;
    spent.retries += 1;
    const before = failed.findLast(({ started }) => started.key === key && started.attempt === attempt - 1);
    if (before) before.retried = true;
  };

  const taking: RecordHandlers = {
    "agent.started": addAttempt,
    "agent.finished": finishAttempt,
    "agent.retried": countRetry,
  };
  return {
    taking: [taking, resting.taking],
    view: (finished: boolean): AttemptsView => ({
      attempts,
      agents: [...open.values()].map(toAgentView),
      failed,
      resting: finished ? [] : resting.view(),
      retries: { ...retries },
      spent: { ...spent },
    }),
  };
}

const toAttemptKey = ({ key, attempt }: { readonly key: string; readonly attempt: number }): string =>
  `${key}@${attempt}`;

function toAgentView({ started }: AttemptView): AgentView {
  const { role, instance, task, attempt, continues, ts, effect } = started;
  const countRetry = continues === undefined ? {} : { continues: true as const };
  return { role, instance, ...(task === undefined ? {} : { task }), attempt, ...countRetry, startedAt: ts, effect };
}

/** Groups the attempts by dispatch, in the order in which the dispatches started. */
export function toDispatchReports({ attempts }: Pick<AttemptsView, "attempts">): readonly DispatchReport[] {
  return [...Map.groupBy(attempts, ({ started }) => started.key)].map(([key, tries]) => {
    const ends = tries.flatMap(({ finished }) => finished ?? []);
    const { role = "", instance = "", task = "", round = 1 } = tries[0]?.started ?? {};
    const last = ends.length === tries.length ? ends.at(-1) : undefined;
    const paid = ends.flatMap((end) => end.usage?.usd ?? []);
    return {
      key,
      phase: tries[0]?.phase ?? "",
      role,
      instance,
      task,
      round,
      attempts: tries.length,
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

type InterruptedAttempt = Pick<JournalRecord<"agent.finished">, "orderly" | "limit" | "worker">;

/** Formats why an attempt was interrupted: `worker build-1/82073146 died while the agent was running` */
export function formatInterruption({ orderly, limit, worker }: InterruptedAttempt): string {
  const who = worker === undefined ? "its engine" : `worker ${worker}`;
  return orderly ? (limit ?? `${who} was stopped`) : `${who} died while the agent was running`;
}
