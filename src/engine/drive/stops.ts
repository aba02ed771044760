import type { Failure } from "../../core/failure/failure.ts";
import type { AttemptResult, EffectKind, EffectResult } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";

/** A person's word that one attempt ends at once. `settled` is called when what became of it is recorded. */
export type StopOrder = { readonly by: string; readonly note?: string; readonly settled: () => void };

export type Stops = {
  /** Ends the attempt, or does so as soon as it is taken up again; false where it is over. */
  ask(effect: string, order: StopOrder): boolean;
  /** The effect is under way: its signal, and what its result counts as. */
  begin(effect: string, over: AbortSignal): StoppableEffect;
  /** What became of the attempt is recorded. */
  settle(effect: string): void;
};

export type StoppableEffect = {
  readonly signal: AbortSignal;
  resultOf<K extends EffectKind>(given: EffectResult<K>): EffectResult<K>;
};

export function createStops(records: readonly JournalRecord[], now: () => number): Stops {
  /** Begun by an engine that is gone: whoever takes them up again ends them. */
  const left = openEffects(records);
  const running = new Map<string, AbortController>();
  const orders = new Map<string, StopOrder>();
  return {
    ask(effect, order) {
      if (!running.has(effect) && !left.has(effect)) return false;
      orders.set(effect, order);
      running.get(effect)?.abort();
      return true;
    },
    begin(effect, over) {
      const [stop, startedAt] = [new AbortController(), now()];
      running.set(effect, stop);
      left.delete(effect);
      if (orders.has(effect)) stop.abort();
      return {
        signal: AbortSignal.any([over, stop.signal]),
        resultOf(given) {
          running.delete(effect);
          const order = orders.get(effect);
          // An engine that stops with all its agents has more to say than who wanted one of them stopped.
          return order && !over.aborted ? stoppedResult(given, { ...order, ms: now() - startedAt }) : given;
        },
      };
    },
    settle(effect) {
      orders.get(effect)?.settled();
      orders.delete(effect);
    },
  };
}

/** A look, a write or a merge ends with the run alone: a signal for each would cost more than the step. */
export function unstoppable(over: AbortSignal): StoppableEffect {
  return { signal: over, resultOf: (given) => given };
}

function openEffects(records: readonly JournalRecord[]): Set<string> {
  const open = new Map<string, string>();
  for (const record of records) {
    if (record.type === "agent.started") open.set(`${record.key}@${record.attempt}`, record.effect);
    if (record.type === "agent.finished") open.delete(`${record.key}@${record.attempt}`);
  }
  return new Set(open.values());
}

/** Whoever was done before the word came is done. */
type Stopped = StopOrder & { readonly ms: number };

function stoppedResult<K extends EffectKind>(given: EffectResult<K>, order: Stopped): EffectResult<K> {
  // Only attempts are named by the word, so this is the result of one.
  const result = given as AttemptResult;
  if (result.outcome !== "interrupted") return given;
  return { outcome: "failed", failure: stoppedBy(order), ms: order.ms } as EffectResult<K>;
}

/**
 * Of the class `canceled`: neither the agent nor the machine is to blame, so that no built-in policy spends a retry on
 * it; one of a pipeline's own may.
 */
function stoppedBy({ by, note }: StopOrder): Failure {
  return { class: "canceled", code: STOPPED_CODE, message: `stopped by ${by}${note === undefined ? "" : `: ${note}`}` };
}

export const STOPPED_CODE = "stopped";
