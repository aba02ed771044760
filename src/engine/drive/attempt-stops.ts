import type { Failure } from "../../core/failure/failure.ts";
import type { AttemptResult, EffectKind, EffectResult } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";

/**
 * A request of a person to stop one attempt at once. `settled` is called when the result of the attempt is recorded.
 */
export type AttemptStop = { readonly by: string; readonly note?: string; readonly settled: () => void };

export type AttemptStops = {
  /** Stops the attempt now, or as soon as it is resumed. Returns false if it is over. */
  ask(effect: string, order: AttemptStop): boolean;
  /** Registers a running effect: its signal, and what its result counts as. */
  begin(effect: string, over: AbortSignal): StoppableEffect;
  /** The result of the attempt is recorded. */
  settle(effect: string): void;
};

export type StoppableEffect = {
  readonly signal: AbortSignal;
  resultOf<K extends EffectKind>(given: EffectResult<K>): EffectResult<K>;
};

export function createAttemptStops(records: readonly JournalRecord[], now: () => number): AttemptStops {
  /** Attempts of an engine that is gone: the engine that resumes them stops them. */
  const left = findOpenEffects(records);
  const running = new Map<string, AbortController>();
  const orders = new Map<string, AttemptStop>();
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
          // If the engine stops with all its agents, that reason takes precedence over the request to stop one of them.
          return order && !over.aborted ? toStoppedResult(given, { ...order, ms: now() - startedAt }) : given;
        },
      };
    },
    settle(effect) {
      orders.get(effect)?.settled();
      orders.delete(effect);
    },
  };
}

/**
 * Returns the signal of an effect other than an attempt. It ends with the run alone: a signal for each would cost more
 * than the step.
 */
export function createUnstoppable(over: AbortSignal): StoppableEffect {
  return { signal: over, resultOf: (given) => given };
}

function findOpenEffects(records: readonly JournalRecord[]): Set<string> {
  const open = new Map<string, string>();
  for (const record of records) {
    if (record.type === "agent.started") open.set(`${record.key}@${record.attempt}`, record.effect);
    if (record.type === "agent.finished") open.delete(`${record.key}@${record.attempt}`);
  }
  return new Set(open.values());
}

/** A stop request with the duration of the attempt. An attempt that finished before the request stays finished. */
type TimedStopRequest = AttemptStop & { readonly ms: number };

function toStoppedResult<K extends EffectKind>(given: EffectResult<K>, order: TimedStopRequest): EffectResult<K> {
  // Stop requests name only attempts, so this is the result of one.
  const result = given as AttemptResult;
  if (result.outcome !== "interrupted") return given;
  return { outcome: "failed", failure: createStopFailure(order), ms: order.ms } as EffectResult<K>;
}

/**
 * Creates a failure of the class `canceled`: neither the agent nor the machine is to blame, so no built-in policy
 * spends a retry on it. A policy of a pipeline may.
 */
function createStopFailure({ by, note }: AttemptStop): Failure {
  return { class: "canceled", code: STOPPED_CODE, message: `stopped by ${by}${note === undefined ? "" : `: ${note}`}` };
}

export const STOPPED_CODE = "stopped";
