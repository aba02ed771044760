import type { JournalRecord } from "../../core/record.ts";
import { isUsedUp } from "../../core/usage-window.ts";
import { createResting, type RestingView } from "./resting.ts";

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
export type ErrorView = {
  readonly step: string;
  readonly agent: string;
  readonly error: string;
  readonly class: string;
  readonly retried: boolean;
};

export type DispatchView = {
  /** Attempts that began and have not ended. */
  readonly agents: readonly AgentView[];
  /** Dispatches that go on later, or when somebody says so. */
  readonly resting: readonly RestingView[];
  readonly errors: readonly ErrorView[];
  readonly retries: Readonly<Record<string, number>>;
  readonly spent: { readonly dispatches: number; readonly usd: number; readonly usdUnknown: number };
};

/** Who is at work, who rests, what went wrong and what all of it cost. */
export function createDispatchView() {
  const agents = new Map<string, AgentView>();
  const errors = new Map<string, ErrorView>();
  const retries: Record<string, number> = {};
  const spent = { dispatches: 0, usd: 0, usdUnknown: 0 };
  const resting = createResting();

  const begun = (record: JournalRecord<"agent.started">): void => {
    spent.dispatches += 1;
    agents.set(attemptOf(record), agentOf(record));
  };
  const ended = (record: JournalRecord<"agent.finished">): void => {
    agents.delete(attemptOf(record));
    spent.usd += record.usage?.usd ?? 0;
    if (record.usage?.usd === undefined) spent.usdUnknown += 1;
    if (!record.failure) return;
    const { message, class: kind } = record.failure;
    const agent = record.instance || record.role;
    errors.set(attemptOf(record), { step: record.key, agent, error: message, class: kind, retried: false });
  };
  const again = ({ key, attempt, because }: JournalRecord<"agent.retried">): void => {
    const kind = isUsedUp(because) ? "usage window" : because.class;
    retries[kind] = (retries[kind] ?? 0) + 1;
    const before = attemptOf({ key, attempt: attempt - 1 });
    const error = errors.get(before);
    if (error) errors.set(before, { ...error, retried: true });
  };

  return {
    take(record: JournalRecord): void {
      resting.take(record);
      if (record.type === "agent.started") begun(record);
      if (record.type === "agent.finished") ended(record);
      if (record.type === "agent.retried") again(record);
    },
    view: (finished: boolean): DispatchView => ({
      agents: [...agents.values()],
      resting: finished ? [] : resting.view(),
      errors: [...errors.values()],
      retries: { ...retries },
      spent: { ...spent },
    }),
  };
}

const attemptOf = ({ key, attempt }: { readonly key: string; readonly attempt: number }): string => `${key}@${attempt}`;

function agentOf({ role, instance, task, attempt, continues, ts, effect }: JournalRecord<"agent.started">): AgentView {
  const again = continues === undefined ? {} : { continues: true as const };
  return { role, instance, ...(task === undefined ? {} : { task }), attempt, ...again, startedAt: ts, effect };
}
