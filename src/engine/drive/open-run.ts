import { accountOf, type Cost } from "../core/account.ts";
import type { AttemptResult } from "../core/effect.ts";
import { SignalboxError } from "../core/errors.ts";
import { phasesOf } from "../core/phases.ts";
import type { Claim } from "../core/ports/host.ts";
import type { JournalRecord } from "../core/record.ts";
import type { EngineParts } from "./engine.ts";
import { stuck } from "./guards.ts";
import type { History } from "./history.ts";
import { createLetters, type Wait } from "./letters.ts";
import { newest } from "./newest.ts";
import { createPulse } from "./pulse.ts";
import { createRecorder } from "./recorder.ts";
import { type Conclusion, forever, type Run } from "./run.ts";

/** How long a body may wait for something that is not a verb before it is called stuck. */
const STUCK_AFTER_MS = 2_000;

/** Whose limits are the run's alone. */
const NOBODY = { phase: "", role: "" };

export type Grip = {
  readonly claim: Claim;
  readonly history: History;
  readonly signal: AbortSignal;
  readonly over: AbortController;
  /** Fires when the claim is given back: until then it is renewed, also while agents are being ended. */
  readonly released: AbortController;
};

/** Everything that one engine holds of one run while it drives it. */
export function take(parts: EngineParts, grip: Grip): { run: Run; conclusion: Promise<Conclusion> } {
  const { host, world } = parts;
  const { history, claim, over } = grip;
  const started = startOf(history, claim.run);
  const pipeline = parts.pipelines(started.pipeline);
  if (!pipeline) throw unknownPipeline(started);
  let resolve: (conclusion: Conclusion) => void = () => {};
  const conclusion = new Promise<Conclusion>((settle) => {
    resolve = settle;
  });
  const effects = new Set<Promise<unknown>>();
  const conclude = (final: Conclusion): void => {
    if (run.over) return;
    run.over = true;
    over.abort();
    Promise.allSettled(effects).then(() => resolve(final));
  };
  const lost = (error: unknown): void => conclude({ kind: "lost", error });
  const pulse = createPulse(() => quiet(parts, run));
  const recorder = createRecorder({ host, world, claim, last: history.last, onFailure: lost });
  const onResume: Parameters<typeof createLetters>[0]["onResume"] = (letter) => {
    if (letter.limits) run.limits = { ...run.limits, ...letter.limits };
  };
  const letters = createLetters({
    host,
    claim,
    pulse,
    recorder,
    onResume,
    conclude,
    onFailure: lost,
    isOver: () => run.over,
  });
  const account = accountOf(history.records);
  let payment = Promise.withResolvers<void>();
  const startedAt = world.now();
  const workedMs = () => history.workedMs + world.now() - startedAt;
  const run: Run = {
    id: claim.run,
    pipeline,
    phases: phasesOf(pipeline.name, pipeline.phases),
    started,
    history,
    host,
    world,
    recorder,
    signal: over.signal,
    pulse,
    letters,
    state: {
      rendered: newest(),
      projected: newest(),
      decisions: new Map(),
      standing: newest(),
      rules: new Map(),
      commits: newest(),
      committed: new Map(),
      caveats: new Set(),
      checked: new Map(),
      exemption: undefined,
      named: new Set(),
      accepted: new Set(),
      announced: [],
    },
    keys: new Map(),
    visited: new Set(),
    open: new Map(),
    limits: Object.assign({}, started.limits, ...history.resumed.map((record) => record.limits)),
    usageWindow: parts.usageWindow ?? "wait",
    cures: parts.cures ?? (async () => []),
    ending: undefined,
    over: false,
    conclude,
    refuse(error) {
      conclude({ kind: "broken", error });
      throw error;
    },
    async effect(how, effect) {
      // Recorded as an intent and no more: whoever takes the run up again begins with it.
      if (run.over) return forever();
      // Before it counts as settled: an engine that stops records what became of its attempts.
      const working = host.effects[how](effect, over.signal).then((result) => {
        noteSession(run, effect.id, result);
        return result;
      });
      effects.add(working);
      const result = await working.finally(() => effects.delete(working));
      if (effect.kind === "attempt") {
        // Kinds and results come together.
        account.settle(effect.id, result as Cost);
        payment.resolve();
        payment = Promise.withResolvers<void>();
      }
      return result;
    },
    account,
    settled: () => payment.promise,
    timeLeft: () => (run.limits.timeMs === undefined ? undefined : run.limits.timeMs - workedMs()),
    limit: (spender = NOBODY) => account.hit(run.limits, spender, workedMs()),
  };
  return { run, conclusion };
}

function noteSession({ open }: Run, id: string, result: unknown): void {
  const attempt = open.get(id);
  // Only attempts are open, so this is the result of one.
  const given = result as AttemptResult;
  if (attempt && given.outcome === "interrupted" && given.session !== undefined)
    open.set(id, { ...attempt, session: given.session });
}

/** Nothing goes on: either somebody outside is waited for, or the body waits for something that never comes. */
function quiet(parts: EngineParts, run: Run): void {
  if (run.over) return;
  const waits = [...run.letters.waiting.values()];
  if (waits.length === 0) {
    const visits = run.visited.size + run.keys.size;
    parts.world.sleep(STUCK_AFTER_MS).then(() => {
      const moved = run.visited.size + run.keys.size !== visits || run.letters.waiting.size > 0;
      if (!moved) run.conclude({ kind: "broken", error: stuck(run.id) });
    });
    return;
  }
  // A branch has ended the run: its siblings' open questions no longer matter.
  if (run.ending) {
    run.conclude({ kind: "ended", end: run.ending });
    return;
  }
  if (parts.waits && waits.some((wait) => wait.kind === "approval")) return;
  const kinds = waits.map((wait) => wait.kind);
  const limit = waits.find((wait) => isOwnWord(wait.kind));
  const status = limit && isOwnWord(limit.kind) ? limit.kind : kinds.every(isPause) ? "paused" : "waiting";
  run.conclude({
    kind: "suspended",
    status,
    reason: (limit ?? waits[0])?.title ?? "",
    waiting: waits.filter((wait) => wait.kind === "approval" || wait.kind === "pause").map((wait) => wait.id),
    ...(limit?.kind === "interrupted" && limit.exit !== undefined ? { exit: limit.exit } : {}),
  });
}

type OwnWord = "budget" | "time" | "interrupted";

/** Ends only when a person says so, whatever else is open. */
function isOwnWord(kind: Wait["kind"]): kind is OwnWord {
  return kind === "budget" || kind === "time" || kind === "interrupted";
}

function isPause(kind: Wait["kind"]): boolean {
  return kind === "pause";
}

function startOf(history: History, id: string): JournalRecord<"run.started"> {
  if (history.started) return history.started;
  throw new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of run ${id} does not begin with run.started.`,
    "The run cannot be driven; start a new one. What is there can be read with `signalbox events`.",
  );
}

function unknownPipeline(started: JournalRecord<"run.started">): SignalboxError {
  return new SignalboxError(
    "PIPELINE_UNKNOWN",
    `The run ${started.run} was started with the pipeline ${started.pipeline}, which is not here.`,
    "Put the pipeline's file back, or use the version of signalbox that has it.",
  );
}
