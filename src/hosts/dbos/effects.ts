import type { AttemptResult, Effect, EffectKind, EffectResult } from "../../core/journal/effect.ts";
import type { Handlers, Host } from "../../core/ports/host.ts";
import { awaitTask, type TaskWaiter } from "./await-task.ts";
import type { StopSignals } from "./stop-signal.ts";
import type { Database } from "./tables/database.ts";
import { formatTaskTopic, type Tasks } from "./tables/tasks.ts";
import { captureOutcome, unwrapOutcome, type WorkflowOutcome } from "./workflows/outcome.ts";
import type { EffectOrder, WorkflowBodies } from "./workflows/workflows.ts";

export type EffectsDeps = TaskWaiter & {
  readonly tasks: Tasks;
  readonly stops: StopSignals;
  readonly handlers: () => Handlers;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
};

/**
 * Runs an attempt as a task and a workflow of the same id, so any worker with the required labels performs it once. The
 * run's owner performs all other effects in its own process: repeating them is harmless, and a successor does.
 */
export function createEffects(parts: EffectsDeps): Host["effects"] {
  const { closing, handlers } = parts;
  return {
    start: async <K extends EffectKind>(effect: Effect<K>, signal: AbortSignal) => {
      const attempt = toAttempt(effect);
      if (!attempt) return handlers().perform(effect, AbortSignal.any([signal, closing]));
      return toEffectResult<K>(await awaitResult(parts, { id: attempt.id, effect: attempt, verb: "start" }, signal));
    },
    resume: async <K extends EffectKind>(effect: Effect<K>, signal: AbortSignal) => {
      const attempt = toAttempt(effect);
      if (!attempt) return handlers().recover(effect, AbortSignal.any([signal, closing]));
      const { id, outcome, by, left } = await findOpenRound(parts, attempt.id);
      if (outcome) return toEffectResult<K>(unwrapOutcome(outcome as WorkflowOutcome<AttemptResult>)); // the workflow body returned it
      const result = await awaitResult(parts, { id, effect: attempt, verb: "resume", near: by }, signal);
      return toEffectResult<K>(result.outcome === "interrupted" ? { ...result, ...left } : result);
    },
  };
}

/**
 * The attempt continues on another worker, or its worker died. The next owner of the run waits for it or recovers it.
 */
const STILL_RUNNING: AttemptResult = { outcome: "interrupted", outlives: true };
/** No worker had taken the task. */
const NEVER_STARTED: AttemptResult = { outcome: "interrupted" };

type WantedEffect = EffectOrder & { readonly id: string; readonly near?: string | undefined };

async function awaitResult(
  parts: EffectsDeps,
  { id, near, ...order }: WantedEffect,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { tasks, stops, handlers, closing, notices } = parts;
  const { effect } = order;
  const needs = handlers().needs?.(effect) ?? [];
  await tasks.wantEffect({ id, run: effect.run, needs, body: JSON.stringify(order), near });
  const left = new AbortController();
  // A closing worker waits for the effects that it performs itself and stops waiting for those on other workers.
  const leave = () => stops.isHere(id) || left.abort();
  const stop = createStop(parts, id, effect);
  let cut = STILL_RUNNING;
  const stopFirst = async () => {
    if (!signal.aborted || closing.aborted) return;
    const stopped = await stop();
    if (!stopped) return;
    cut = stopped;
    left.abort();
  };
  const look = () => (closing.aborted ? leave() : notices.notifier.ring(formatTaskTopic(id)));
  signal.addEventListener("abort", look, { once: true });
  closing.addEventListener("abort", leave, { once: true });
  if (closing.aborted) leave();
  try {
    const outcome = await awaitTask(parts, id, left.signal, stopFirst);
    // The workflow body returned the result of this effect.
    return outcome ? unwrapOutcome(outcome as WorkflowOutcome<AttemptResult>) : cut;
  } finally {
    signal.removeEventListener("abort", look);
    closing.removeEventListener("abort", leave);
  }
}

/**
 * Stops an attempt. A task without a worker is withdrawn, because no worker would receive the stop. A worker that has
 * the task gets one stop request; if it dies, the task is withdrawn later. Returns the result once there is nothing
 * left to wait for.
 */
function createStop({ tasks, stops }: EffectsDeps, id: string, { run, fence }: Effect<"attempt">) {
  const claim = { run, fence };
  let asked = false;
  return async (): Promise<AttemptResult | undefined> => {
    const withdrawn = await tasks.withdraw(id, claim);
    if (withdrawn) return withdrawn.begun ? STILL_RUNNING : NEVER_STARTED;
    if (asked) return undefined;
    asked = true;
    // Refused if the run has a newer claim: the attempt belongs to its new owner.
    return (await stops.ask(id, claim).catch(() => true)) ? undefined : STILL_RUNNING;
  };
}

export type EffectBodyDeps = {
  readonly database: Database;
  readonly handlers: Handlers;
  readonly stops: StopSignals;
  readonly newId: () => string;
  /** Id of this process, which stores the unfinished work it started. */
  readonly process: string;
  /** The display name of this process. */
  readonly name: string;
};

export function createEffectBody(parts: EffectBodyDeps): WorkflowBodies["effect"] {
  const { handlers, stops, process, name } = parts;
  return async (id, { effect, verb }): Promise<WorkflowOutcome<unknown>> => {
    const work = await stops.begin(id);
    try {
      const outcome = await captureOutcome(async () => {
        const { first, by } = await claimFirstStart(parts, effect.id);
        const verbHere = first && verb === "start" ? handlers.perform : handlers.recover;
        const result = await verbHere(effect, work.signal);
        if (work.closed()) return withInterruption(result, { orderly: true, worker: name });
        return by === undefined || by === name ? result : withInterruption(result, { worker: by });
      }, work.signal);
      return outcome.kind === "final" ? outcome : { ...outcome, by: process };
    } finally {
      await work.end();
    }
  };
}

type Interruption = Pick<Extract<AttemptResult, { outcome: "interrupted" }>, "orderly" | "worker">;

/** Adds the cause of an interruption. Results that are final or outlive the worker stay as they are. */
function withInterruption(result: AttemptResult, cut: Interruption): AttemptResult {
  return result.outcome === "interrupted" && !result.outlives ? { ...result, ...cut } : result;
}

type FirstStart = { readonly first: boolean; readonly by: string | undefined };

/**
 * Inserts the guard row. The caller that inserts it performs the effect; every later caller recovers it and learns from
 * the row who started it. The nonce identifies our own row when the server dropped the answer.
 */
async function claimFirstStart({ database, newId, name }: EffectBodyDeps, effect: string): Promise<FirstStart> {
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

type OpenRound = {
  readonly id: string;
  readonly outcome?: WorkflowOutcome<unknown>;
  readonly by?: string | undefined;
  /** The cause of the previous round's interruption, if that round was stopped. */
  readonly left?: Interruption;
};

/**
 * Finds the round to continue. Orders, guard rows and outcomes are in tables that only workers can write, so they are
 * not checked against the journal again.
 * Returns the first of `id`, `id~2`, `id~3` … without a final outcome, or that outcome. A round that was stopped or
 * threw is recovered in a new one, preferably by the process that holds its work.
 */
async function findOpenRound({ tasks, see }: EffectsDeps, effectId: string): Promise<OpenRound> {
  let by: string | undefined;
  let left: Interruption = {};
  for (let round = 1; ; round++) {
    const id = round === 1 ? effectId : `${effectId}~${round}`;
    if (await tasks.isOpen(id)) return { id, left };
    const seen = await see(id);
    if (!seen || seen.active) return { id, by, left };
    if (seen.outcome.kind === "final") return { id, outcome: seen.outcome };
    by = seen.outcome.by;
    left = getInterruption(seen.outcome);
  }
}

function getInterruption(outcome: WorkflowOutcome<unknown>): Interruption {
  if (outcome.kind !== "stopped") return {};
  const { orderly, worker } = outcome.value as Interruption; // the workflow body returned an interruption of this effect
  return { ...(orderly ? { orderly } : {}), ...(worker === undefined ? {} : { worker }) };
}

// The check on `kind` proves the type; the compiler cannot narrow an open type parameter.
const toAttempt = <K extends EffectKind>(effect: Effect<K>) =>
  effect.kind === "attempt" ? (effect as Effect<"attempt">) : undefined;

// An attempt effect always has an `AttemptResult`.
const toEffectResult = <K extends EffectKind>(result: AttemptResult) => result as EffectResult<K>;
