import type { AttemptResult, Effect, EffectKind, EffectResult } from "../../core/journal/effect.ts";
import type { Handlers, Host } from "../../core/ports/host.ts";
import { type AwaitParts, awaitTask } from "./await-task.ts";
import type { StopSignals } from "./stop-signal.ts";
import type { Database } from "./tables/database.ts";
import { type Tasks, taskTopic } from "./tables/tasks.ts";
import { type Outcome, outcomeOf, valueIn } from "./workflows/outcome.ts";
import type { Bodies, EffectOrder } from "./workflows/workflows.ts";

export type EffectsParts = AwaitParts & {
  readonly tasks: Tasks;
  readonly stops: StopSignals;
  readonly handlers: () => Handlers;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
};

/**
 * An attempt is a task, and a workflow of the same id: any worker that offers what it needs performs it, once. Everything
 * else is done by the run's owner in its own process: it does no harm when it is done again, and a successor does it again.
 */
export function dbosEffects(parts: EffectsParts): Host["effects"] {
  const { closing, handlers } = parts;
  return {
    start: async <K extends EffectKind>(effect: Effect<K>, signal: AbortSignal) => {
      const attempt = attemptIn(effect);
      if (!attempt) return handlers().perform(effect, AbortSignal.any([signal, closing]));
      return resultOf<K>(await settle(parts, { id: attempt.id, effect: attempt, verb: "start" }, signal));
    },
    resume: async <K extends EffectKind>(effect: Effect<K>, signal: AbortSignal) => {
      const attempt = attemptIn(effect);
      if (!attempt) return handlers().recover(effect, AbortSignal.any([signal, closing]));
      const { id, outcome, by, left } = await unsettled(parts, attempt.id);
      if (outcome) return resultOf<K>(valueIn(outcome as Outcome<AttemptResult>)); // its body answered with it
      const result = await settle(parts, { id, effect: attempt, verb: "resume", near: by }, signal);
      return resultOf<K>(result.outcome === "interrupted" ? { ...result, ...left } : result);
    },
  };
}

/** The attempt goes on elsewhere, or was left by a worker that died: whoever owns the run next waits for it or recovers it. */
const OUTLIVES: AttemptResult = { outcome: "interrupted", outlives: true };
/** Nobody had taken it. */
const UNBEGUN: AttemptResult = { outcome: "interrupted" };

type Wanted = EffectOrder & { readonly id: string; readonly near?: string | undefined };

async function settle(
  parts: EffectsParts,
  { id, near, ...order }: Wanted,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { tasks, stops, handlers, closing, notices } = parts;
  const { effect } = order;
  const needs = handlers().needs?.(effect) ?? [];
  await tasks.wantEffect({ id, run: effect.run, needs, body: JSON.stringify(order), near });
  const left = new AbortController();
  // A worker that closes ends what it performs itself, and leaves alone what others perform.
  const leave = () => stops.isHere(id) || left.abort();
  const stop = createStop(parts, id, effect);
  let cut = OUTLIVES;
  const stopFirst = async () => {
    if (!signal.aborted || closing.aborted) return;
    const stopped = await stop();
    if (!stopped) return;
    cut = stopped;
    left.abort();
  };
  const look = () => (closing.aborted ? leave() : notices.notifier.ring(taskTopic(id)));
  signal.addEventListener("abort", look, { once: true });
  closing.addEventListener("abort", leave, { once: true });
  if (closing.aborted) leave();
  try {
    const outcome = await awaitTask(parts, id, left.signal, stopFirst);
    // The body answered with the result of this very effect.
    return outcome ? valueIn(outcome as Outcome<AttemptResult>) : cut;
  } finally {
    signal.removeEventListener("abort", look);
    closing.removeEventListener("abort", leave);
  }
}

/**
 * What nobody has taken is withdrawn: nobody would hear a stop, maybe for ever. Whoever has taken it is asked, once; it is
 * withdrawn all the same should he die meanwhile. The result where there is nothing more to wait for.
 */
function createStop({ tasks, stops }: EffectsParts, id: string, { run, fence }: Effect<"attempt">) {
  const claim = { run, fence };
  let asked = false;
  return async (): Promise<AttemptResult | undefined> => {
    const withdrawn = await tasks.withdraw(id, claim);
    if (withdrawn) return withdrawn.begun ? OUTLIVES : UNBEGUN;
    if (asked) return undefined;
    asked = true;
    // Refused where the run has another owner by now: the attempt is that one's.
    return (await stops.ask(id, claim).catch(() => true)) ? undefined : OUTLIVES;
  };
}

export type EffectBodyParts = {
  readonly database: Database;
  readonly handlers: Handlers;
  readonly stops: StopSignals;
  readonly newId: () => string;
  /** Of this process: what it began lies here. */
  readonly process: string;
  /** What the others call it. */
  readonly name: string;
};

export function effectBody(parts: EffectBodyParts): Bodies["effect"] {
  const { handlers, stops, process, name } = parts;
  return async (id, { effect, verb }): Promise<Outcome<unknown>> => {
    const work = await stops.begin(id);
    try {
      const outcome = await outcomeOf(async () => {
        const { first, by } = await beginningOf(parts, effect.id);
        const verbHere = first && verb === "start" ? handlers.perform : handlers.recover;
        const result = await verbHere(effect, work.signal);
        if (work.closed()) return cutBy(result, { orderly: true, worker: name });
        return by === undefined || by === name ? result : cutBy(result, { worker: by });
      }, work.signal);
      return outcome.kind === "final" ? outcome : { ...outcome, by: process };
    } finally {
      await work.end();
    }
  };
}

type Cut = Pick<Extract<AttemptResult, { outcome: "interrupted" }>, "orderly" | "worker">;

/** Whose end it was; one that came to a result of its own, or goes on alone, was not cut off. */
function cutBy(result: AttemptResult, cut: Cut): AttemptResult {
  return result.outcome === "interrupted" && !result.outlives ? { ...result, ...cut } : result;
}

type Beginning = { readonly first: boolean; readonly by: string | undefined };

/**
 * The guard row is the promise: whoever inserts it may perform, everyone after it recovers, and finds there who began it.
 * The nonce tells our own row from another's when the server went away before it answered.
 */
async function beginningOf({ database, newId, name }: EffectBodyParts, effect: string): Promise<Beginning> {
  const mark = `${name} ${newId()}`;
  const [row] = await database.query<{ by_nonce: string | null }>(
    `INSERT INTO effects (id, begun_at, by_nonce) VALUES ($1, now_ms(), $2)
     ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING by_nonce`,
    [effect, mark],
  );
  const kept = row?.by_nonce ?? "";
  const nonceAt = kept.lastIndexOf(" ");
  return { first: kept === mark, by: nonceAt < 0 ? undefined : kept.slice(0, nonceAt) };
}

type Unsettled = {
  readonly id: string;
  readonly outcome?: Outcome<unknown>;
  readonly by?: string | undefined;
  /** Whose end the round before was, where it was told to stop. */
  readonly left?: Cut;
};

/**
 * What is found here was ordered by an owner of the run: orders, guard rows and outcomes lie in tables that only workers may
 * write, so nothing of it is held against the journal again.
 *
 * The first of `id`, `id~2`, `id~3` … without a last word, or the last word: one that was stopped or threw is recovered
 * anew, by whoever has what came of it while he lives.
 */
async function unsettled({ tasks, see }: EffectsParts, effectId: string): Promise<Unsettled> {
  let by: string | undefined;
  let left: Cut = {};
  for (let round = 1; ; round++) {
    const id = round === 1 ? effectId : `${effectId}~${round}`;
    if (await tasks.isOpen(id)) return { id, left };
    const seen = await see(id);
    if (!seen || seen.active) return { id, by, left };
    if (seen.outcome.kind === "final") return { id, outcome: seen.outcome };
    by = seen.outcome.by;
    left = leftBy(seen.outcome);
  }
}

function leftBy(outcome: Outcome<unknown>): Cut {
  if (outcome.kind !== "stopped") return {};
  const { orderly, worker } = outcome.value as Cut; // its body answered with the result of this effect
  return { ...(orderly ? { orderly } : {}), ...(worker === undefined ? {} : { worker }) };
}

// The kind says what it is; the compiler does not see it while the kind is open.
const attemptIn = <K extends EffectKind>(effect: Effect<K>) =>
  effect.kind === "attempt" ? (effect as Effect<"attempt">) : undefined;

// An attempt's result is that of the kind that was asked for: kinds and results come together.
const resultOf = <K extends EffectKind>(result: AttemptResult) => result as EffectResult<K>;
