import { createPhases } from "../../core/authoring/phases.ts";
import { buildAccount, type Cost } from "../../core/budget/account.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { AttemptResult } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { getCurrentConfig } from "../../core/journal/run-config.ts";
import type { Lease } from "../../core/ports/host.ts";
import type { EngineDeps } from "../engine.ts";
import { createDivergedError } from "../replay/guards.ts";
import type { RunHistory } from "../replay/history.ts";
import { createLatestBySeq } from "../replay/latest-by-seq.ts";
import { type Conclusion, createNever, type Run } from "../run.ts";
import { readNotes } from "../verbs/facts/answer-notes.ts";
import { createAttemptStops, createUnstoppable } from "./attempt-stops.ts";
import { createIdleDetector } from "./idle-detector.ts";
import { createRecorder } from "./recorder.ts";
import { createSignalInbox } from "./signals.ts";
import { suspendIfIdle } from "./suspend.ts";

/** Spender for the limits of the whole run. */
const NOBODY = { phase: "", role: "" };

/** Other checks than those of the start judge the run from here on, so the end of the run says it. */
const formatConfigCaveat = ({ by }: { readonly by: string }): string =>
  `${by} resumed the run with a changed configuration (resume --config)`;

export type RunHandle = {
  readonly lease: Lease;
  readonly history: RunHistory;
  readonly signal: AbortSignal;
  readonly over: AbortController;
  /** Fires when the claim is released. Until then the claim is renewed, also while agents are being stopped. */
  readonly released: AbortController;
};

/** Creates everything that one engine holds for one run while it drives it. */
export function openRun(parts: EngineDeps, handle: RunHandle): { run: Run; conclusion: Promise<Conclusion> } {
  const { host, world } = parts;
  const { history, lease, over } = handle;
  const first = requireRunStart(history, lease.run);
  const started = { ...first, ...getCurrentConfig(first, history.resumed) };
  const pipeline = parts.pipelines(started.pipeline);
  if (!pipeline) throw createUnknownPipelineError(started);
  let resolve: (conclusion: Conclusion) => void = () => {};
  const conclusion = new Promise<Conclusion>((settle) => {
    resolve = settle;
  });
  const effects = new Set<Promise<unknown>>();
  /** Tracks active work; the conclusion waits for it. */
  const trackEffect = <T>(working: Promise<T>): Promise<T> => {
    effects.add(working);
    return working.finally(() => effects.delete(working));
  };
  const conclude = (final: Conclusion): void => {
    if (run.over) return;
    run.over = true;
    over.abort();
    Promise.allSettled(effects).then(() => resolve(final));
  };
  const concludeLost = (error: unknown): void => conclude({ kind: "lost", error });
  const idle = createIdleDetector(() => suspendIfIdle(parts, run));
  if (typeof parts.waits === "object") parts.waits.addEventListener("abort", idle.look, { signal: over.signal });
  const recorder = createRecorder({ host, world, lease, last: history.last, onFailure: concludeLost });
  const onResume: Parameters<typeof createSignalInbox>[0]["onResume"] = (letter) => {
    if (letter.limits) run.limits = { ...run.limits, ...letter.limits };
    if (!letter.config) return;
    run.started = { ...run.started, ...getCurrentConfig(letter.config, []) };
    run.state.caveats.add(formatConfigCaveat(letter));
  };
  const stops = createAttemptStops(history.records, world.now);
  const signals = createSignalInbox({
    host,
    lease,
    idle,
    recorder,
    onResume,
    onStop: ({ effect, by, note }, settled) =>
      stops.ask(effect, { by, ...(note === undefined ? {} : { note }), settled }),
    conclude,
    onFailure: concludeLost,
    isOver: () => run.over,
  });
  const account = buildAccount(history.records);
  let payment = Promise.withResolvers<void>();
  const startedAt = world.now();
  const measureWorkedMs = () => history.workedMs + world.now() - startedAt;
  const run: Run = {
    id: lease.run,
    pipeline,
    phases: createPhases(pipeline.name, pipeline.phases),
    started,
    history,
    host,
    world,
    recorder,
    signal: over.signal,
    idle,
    signals,
    stops,
    state: {
      rendered: createLatestBySeq(),
      projected: createLatestBySeq(),
      written: createLatestBySeq(),
      decisions: new Map(),
      standing: createLatestBySeq(),
      rules: new Map(),
      commits: createLatestBySeq(),
      committed: new Map(),
      caveats: new Set(history.resumed.filter(({ config }) => config).map(formatConfigCaveat)),
      checked: new Map(),
      dropped: { trees: new Map(), dispatches: createLatestBySeq() },
      sameWork: new Map(),
      refusals: { said: createLatestBySeq(), settledAt: 0 },
      notes: readNotes(history.records),
      exemption: undefined,
      named: new Set(),
      accepted: new Set(),
      unproven: new Set(),
      kept: new Set(),
      announced: [],
    },
    keys: new Map(),
    visited: new Set(),
    open: new Map(),
    bringing: undefined,
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
      // The effect stays recorded as an intent; the next engine starts with it.
      if (run.over) return createNever();
      const stop = effect.kind === "attempt" ? stops.begin(effect.id, over.signal) : createUnstoppable(over.signal);
      // Runs before the effect counts as settled: an engine that stops records what became of its attempts.
      const working = host.effects[how]({ ...effect, fence: lease.fence }, stop.signal).then(
        (given) => {
          const result = stop.resultOf(given);
          noteCut(run, effect.id, result);
          return result;
        },
        (error: unknown) => {
          // The progress of the effect is unknown here. The attempt stays open in the journal, so the next engine
          // adopts it if it is complete.
          run.open.delete(effect.id);
          throw error;
        },
      );
      const result = await trackEffect(working);
      if (effect.kind === "attempt") {
        // Each kind has its own result type.
        account.settle(effect.id, result as Cost);
        payment.resolve();
        payment = Promise.withResolvers<void>();
      }
      return result;
    },
    own(work) {
      if (run.over) return createNever();
      if (parts.replays) throw createDivergedError(run.id, "a step of its own", "its end");
      return trackEffect(work());
    },
    account,
    settled: () => payment.promise,
    timeLeft: () => (run.limits.timeMs === undefined ? undefined : run.limits.timeMs - measureWorkedMs()),
    limit: (spender = NOBODY) => account.hit(run.limits, spender, measureWorkedMs()),
  };
  return { run, conclusion };
}

function noteCut({ open }: Run, id: string, result: unknown): void {
  const attempt = open.get(id);
  // The open effects are attempts, so this is the result of one.
  const given = result as AttemptResult;
  if (!attempt || given.outcome !== "interrupted") return;
  // This engine must not end the attempt. It stays open in the journal, and the next engine finds it and waits for it.
  if (given.outlives) open.delete(id);
  else if (given.session !== undefined) open.set(id, { ...attempt, session: given.session });
}

function requireRunStart(history: RunHistory, id: string): JournalRecord<"run.started"> {
  if (history.started) return history.started;
  throw new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of run ${id} does not begin with run.started.`,
    "Start a new run. The existing records can be read with `signalbox events`.",
  );
}

function createUnknownPipelineError(started: JournalRecord<"run.started">): SignalboxError {
  return new SignalboxError(
    "PIPELINE_UNKNOWN",
    `The run ${started.run} uses the pipeline ${started.pipeline}, which this machine does not have.`,
    "Restore the file of the pipeline, or use a version of signalbox that includes it.",
  );
}
