import { sumMoney } from "../../../core/budget/money.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import { formatAgentName } from "../../agent-name.ts";
import { formatInterruption } from "../../attempts.ts";
import { formatClaim } from "../../format-claim.ts";
import type { StateName } from "../../states.ts";
import type { AttemptLine, DispatchRow } from "../page.ts";
import { createAssumedCosts } from "./assumed-costs.ts";
import { createContradictions } from "./contradictions.ts";
import type { MarkChanged, RowContext, RowProducer, RowWithoutSeq } from "./row-producer.ts";

type AttemptRecords = { readonly started: JournalRecord<"agent.started">; finished?: JournalRecord<"agent.finished"> };
type DispatchEntry = {
  readonly phase: string;
  readonly tries: AttemptRecords[];
  retried?: JournalRecord<"agent.retried"> | undefined;
  claim?: JournalRecord<"claim.recorded">;
  ended: boolean;
};

export const toDispatchRowId = (key: string): string => `dispatch:${key}`;

/** Creates one row per dispatch with its attempts, claim, cost and the evidence that contradicts the claim. */
export function createDispatchRows(touch: MarkChanged): RowProducer {
  const dispatches = new Map<string, DispatchEntry>();
  const changed = (key: string, seq: number): void => {
    const entry = dispatches.get(toDispatchRowId(key));
    if (entry) touch(toDispatchRowId(key), { seq, live: !entry.ended });
  };
  const contradictions = createContradictions(changed);
  const guesses = createAssumedCosts(changed);
  const updateEntry =
    <R extends { readonly key: string; readonly seq: number }>(use: (entry: DispatchEntry, record: R) => void) =>
    (record: R): void => {
      const entry = dispatches.get(toDispatchRowId(record.key));
      if (!entry) return;
      use(entry, record);
      changed(record.key, record.seq);
    };
  return {
    taking: {
      "agent.started": (started, step) => {
        const entry = dispatches.get(toDispatchRowId(started.key)) ?? {
          phase: step?.phase ?? "",
          tries: [],
          ended: false,
        };
        entry.tries.push({ started });
        entry.retried = undefined;
        dispatches.set(toDispatchRowId(started.key), entry);
        guesses.began(started);
        changed(started.key, started.seq);
      },
      "agent.finished": (finished) => {
        const entry = dispatches.get(toDispatchRowId(finished.key));
        const open = entry?.tries.findLast(({ started }) => started.attempt === finished.attempt);
        if (open) open.finished = finished;
        contradictions.left(finished);
        changed(finished.key, finished.seq);
        guesses.ended(finished);
      },
      "agent.retried": updateEntry((entry, record: JournalRecord<"agent.retried">) => {
        entry.retried = record;
      }),
      "claim.recorded": updateEntry((entry, record: JournalRecord<"claim.recorded">) => {
        entry.claim = record;
      }),
      "step.finished": updateEntry((entry) => {
        entry.ended = true;
      }),
      "evidence.recorded": contradictions.seen,
    },
    row(id, at) {
      const entry = dispatches.get(id);
      if (!entry) throw new Error(`no dispatch ${id}`);
      return { id, ...dispatchRow(entry, at), contradictedBy: contradictions.of(findClaimedTree(entry)) };
    },
  };
}

function findClaimedTree({ claim, tries }: DispatchEntry): string | undefined {
  return tries.find(({ started }) => started.attempt === claim?.attempt)?.finished?.after;
}

function dispatchRow(entry: DispatchEntry, at: RowContext): Omit<RowWithoutSeq<DispatchRow>, "id" | "contradictedBy"> {
  const { phase, tries, claim } = entry;
  const [first] = tries;
  if (!first) throw new Error("dispatch has no attempt");
  const { key, role, instance, task = "", round, ts: startedAt } = first.started;
  const last = tries.findLast(({ finished }) => finished !== undefined)?.finished;
  return {
    kind: "dispatch",
    phase,
    state: resolveDispatchState(entry, at),
    ...{ key, who: formatAgentName({ role, instance, task }), role, instance, task, round, startedAt },
    ms: tries.reduce((sum, { finished }) => sum + (finished?.ms ?? 0), 0),
    attempts: tries.map((each) => toAttemptLine(each, at)),
    cost: sumMoney(tries.map(({ started }) => at.account.computeAttemptMoney(started.effect))),
    changed: last?.changed ?? [],
    outside: last?.outside ?? [],
    claim: claim ? { seq: claim.seq, text: formatClaim(claim.claim), whole: claim.claim } : null,
  };
}

function resolveDispatchState({ tries, retried, ended }: DispatchEntry, at: RowContext): StateName {
  const last = tries.at(-1);
  const state = last ? resolveAttemptState(last, at) : "unknown";
  const over = ended || at.view.end?.type === "run.finished";
  if (over || state === "running" || state === "stale") return state;
  if (retried) return "retrying";
  return state === "interrupted" && at.presence.owned ? "retrying" : state;
}

function toAttemptLine(each: AttemptRecords, at: RowContext): AttemptLine {
  const { started, finished } = each;
  const { usage } = finished ?? {};
  return {
    attempt: started.attempt,
    effect: started.effect,
    state: resolveAttemptState(each, at),
    because: explainAttempt(each),
    by: finished?.by ?? null,
    startedAt: started.ts,
    ms: finished?.ms ?? null,
    usd: usage?.usd ?? null,
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    tree: finished?.after ?? finished?.kept ?? null,
  };
}

function resolveAttemptState({ finished }: AttemptRecords, { view, presence }: RowContext): StateName {
  if (!finished) {
    if (view.end?.type === "run.finished") return "interrupted";
    return presence.owned ? "running" : "stale";
  }
  return OUTCOMES[finished.outcome];
}

const OUTCOMES = { done: "answered", failed: "failed", interrupted: "interrupted" } as const;

function explainAttempt({ finished }: AttemptRecords): string {
  if (finished?.failure) return `${finished.failure.class}: ${finished.failure.message}`;
  if (finished?.outcome !== "interrupted") return "";
  return formatInterruption(finished);
}
