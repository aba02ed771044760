import { isUsedUp } from "../core/budget/quota.ts";
import type { Failure } from "../core/failure/failure.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { Step, Taking } from "./taking.ts";
import { createResting, type RestingView } from "./waiting-dispatches.ts";

/** One try of one agent. */
export type AttemptSeen = {
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
  /** It goes on with the conversation of the attempt before. */
  readonly continues?: true;
  readonly startedAt: number;
  /** The attempt's id, by which its output is found. */
  readonly effect: string;
  /** How long it has said nothing, and how long it may still; where somebody looked. */
  readonly silence?: { readonly forMs: number; readonly leftMs: number };
};

export type Spent = {
  readonly attempts: number;
  readonly retries: number;
  /** Attempts whose engine died meanwhile. One that was put down in order, by a pause or a stop, is none. */
  readonly interruptions: number;
  readonly usd: number;
  /** Attempts that did not say what they cost. */
  readonly usdUnknown: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

export type AttemptsView = {
  /** In the order in which they began. */
  readonly attempts: readonly AttemptSeen[];
  /** Those that have not ended. */
  readonly agents: readonly AgentView[];
  /** Those that failed, in the order in which they did. */
  readonly failed: readonly AttemptSeen[];
  /** Dispatches that go on later, or when somebody says so. */
  readonly resting: readonly RestingView[];
  /** How often something was tried again, by the kind of failure. */
  readonly retries: Readonly<Record<string, number>>;
  readonly spent: Spent;
};

type Draft = { -readonly [K in keyof AttemptSeen]: AttemptSeen[K] };

/** Who is at work, who rests, what went wrong and what all of it cost. */
export function createAttempts() {
  const attempts: Draft[] = [];
  const failed: Draft[] = [];
  const open = new Map<string, Draft>();
  const resting = createResting();
  const retries: Record<string, number> = {};
  const spent = { attempts: 0, retries: 0, interruptions: 0, usd: 0, usdUnknown: 0, inputTokens: 0, outputTokens: 0 };

  const begun = (started: JournalRecord<"agent.started">, step: Step | undefined): void => {
    const attempt = { started, phase: step?.phase ?? "" };
    spent.attempts += 1;
    attempts.push(attempt);
    open.set(placeOf(started), attempt);
  };
  const ended = (finished: JournalRecord<"agent.finished">): void => {
    const { usage, outcome, failure, orderly } = finished;
    if (outcome === "interrupted" && !orderly) spent.interruptions += 1;
    if (usage?.usd === undefined) spent.usdUnknown += 1;
    spent.usd += usage?.usd ?? 0;
    spent.inputTokens += usage?.inputTokens ?? 0;
    spent.outputTokens += usage?.outputTokens ?? 0;
    const attempt = open.get(placeOf(finished));
    if (!attempt) return;
    attempt.finished = finished;
    open.delete(placeOf(finished));
    if (failure) failed.push(attempt);
  };
  const again = ({ key, attempt, because }: JournalRecord<"agent.retried">): void => {
    const kind = isUsedUp(because) ? "usage window" : because.class;
    retries[kind] = (retries[kind] ?? 0) + 1;
    spent.retries += 1;
    const before = failed.findLast(({ started }) => started.key === key && started.attempt === attempt - 1);
    if (before) before.retried = true;
  };

  const taking: Taking = { "agent.started": begun, "agent.finished": ended, "agent.retried": again };
  return {
    taking: [taking, resting.taking],
    view: (finished: boolean): AttemptsView => ({
      attempts,
      agents: [...open.values()].map(agentOf),
      failed,
      resting: finished ? [] : resting.view(),
      retries: { ...retries },
      spent: { ...spent },
    }),
  };
}

const placeOf = ({ key, attempt }: { readonly key: string; readonly attempt: number }): string => `${key}@${attempt}`;

function agentOf({ started }: AttemptSeen): AgentView {
  const { role, instance, task, attempt, continues, ts, effect } = started;
  const again = continues === undefined ? {} : { continues: true as const };
  return { role, instance, ...(task === undefined ? {} : { task }), attempt, ...again, startedAt: ts, effect };
}

/** The attempts of each dispatch together, in the order in which the dispatches began. */
export function dispatchesOf({ attempts }: Pick<AttemptsView, "attempts">): readonly DispatchReport[] {
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

type Cut = Pick<JournalRecord<"agent.finished">, "orderly" | "limit" | "worker">;

/** Why an attempt that was interrupted came to no end of its own: `worker build-1/82073146 died while it worked` */
export function cutText({ orderly, limit, worker }: Cut): string {
  const who = worker === undefined ? "its engine" : `worker ${worker}`;
  return orderly ? (limit ?? `${who} was told to stop`) : `${who} died while it worked`;
}
