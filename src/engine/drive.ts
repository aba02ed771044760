import { limitHit, type Spent } from "../core/budget.ts";
import { SignalboxError } from "../core/errors.ts";
import { phasesOf } from "../core/phases.ts";
import type { Claim, DriveResult } from "../core/ports/host.ts";
import type { JournalRecord } from "../core/record.ts";
import { startBody } from "./body.ts";
import { concluded } from "./conclude.ts";
import type { EngineParts } from "./engine.ts";
import { stuck } from "./guards.ts";
import { type History, historyOf } from "./history.ts";
import { createLetters } from "./letters.ts";
import { newest } from "./newest.ts";
import { createPulse } from "./pulse.ts";
import { createRecorder } from "./recorder.ts";
import { type Conclusion, forever, type Run } from "./run.ts";

/** How long a body may wait for something that is not a verb before it is called stuck. */
const STUCK_AFTER_MS = 2_000;

/** Runs or resumes one run until it ends or suspends; recovery is nothing but this, on a journal that has records. */
export async function drive(parts: EngineParts, id: string, signal: AbortSignal): Promise<DriveResult> {
  for (;;) {
    const { waiting, ...result } = await driveOnce(parts, id, signal);
    // An answer that came while the run was being parked would lie there until somebody says `resume`.
    if (signal.aborted || !(await hasMail(parts, id, waiting))) return result;
  }
}

type Driven = DriveResult & { readonly waiting: readonly string[] };

async function driveOnce(parts: EngineParts, id: string, signal: AbortSignal): Promise<Driven> {
  const claim = await claimed(parts, id, signal);
  const over = new AbortController();
  const released = new AbortController();
  try {
    const history = historyOf(await parts.host.journal.load(id));
    const { ended } = history;
    if (ended) return { status: ended.status, exit: ended.exit, waiting: [] };
    return await conduct(parts, { claim, history, signal, over, released });
  } finally {
    over.abort();
    released.abort();
    await parts.host.runs.release(claim);
  }
}

async function hasMail(parts: EngineParts, id: string, waiting: readonly string[]): Promise<boolean> {
  if (waiting.length === 0) return false;
  const letters = await parts.host.inbox.unread(id);
  return letters.some(({ letter }) => letter.kind !== "answer" || waiting.includes(letter.approval));
}

async function claimed(parts: EngineParts, id: string, signal: AbortSignal): Promise<Claim> {
  for (;;) {
    const result = await parts.host.runs.claim(id, parts.owner);
    if (result.won) return result.claim;
    const left = result.until - parts.world.now();
    if (!parts.patient || signal.aborted) {
      throw new SignalboxError(
        "RUN_OWNED",
        `The run ${id} is being driven by ${result.owner}.`,
        "Follow it with `signalbox events`, or stop that engine first; its claim lapses by itself when it is gone.",
      );
    }
    await parts.world.sleep(Math.min(Math.max(left, 50), 1_000), signal);
  }
}

type Grip = {
  readonly claim: Claim;
  readonly history: History;
  readonly signal: AbortSignal;
  readonly over: AbortController;
  /** Fires when the claim is given back: until then it is renewed, also while agents are being ended. */
  readonly released: AbortController;
};

async function conduct(parts: EngineParts, grip: Grip): Promise<Driven> {
  const { run, conclusion } = take(parts, grip);
  run.recorder.record({
    type: "engine.started",
    owner: parts.owner,
    fence: grip.claim.fence,
    hash: pipelineHash(parts, run),
    ...(parts.sandbox === undefined ? {} : { sandbox: parts.sandbox }),
  });
  const interrupt = () => run.conclude(stoppedBy(grip.signal.reason));
  grip.signal.addEventListener("abort", interrupt, { once: true });
  if (grip.signal.aborted) interrupt();
  keepClaim(parts, grip, run);
  // First the letters: one of them may have raised the limits.
  await run.letters.poll();
  keepTime(run);
  listen(grip, run);
  if (!run.over) startBody(run);
  const outcome = await conclusion;
  grip.signal.removeEventListener("abort", interrupt);
  const result = await concluded(run, outcome, grip.claim);
  const asked = outcome.kind === "suspended" ? (outcome.waiting ?? []) : [];
  return { ...result, waiting: asked };
}

/** Whoever aborts may say with which code the process will leave: 143 for a SIGTERM. */
function stoppedBy(reason: unknown): Conclusion {
  const exit = typeof reason === "object" && reason !== null && "exit" in reason ? Number(reason.exit) : undefined;
  const suspended = { kind: "suspended", status: "interrupted", reason: "the engine was told to stop" } as const;
  return exit === undefined ? suspended : { ...suspended, exit };
}

function take(parts: EngineParts, grip: Grip): { run: Run; conclusion: Promise<Conclusion> } {
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
  const spent = spending(history, world.now());
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
      decisions: new Map(),
      standing: newest(),
      commits: newest(),
      checked: new Map(),
    },
    keys: new Map(),
    visited: new Set(),
    open: new Map(),
    limits: Object.assign({}, started.limits, ...history.resumed.map((record) => record.limits)),
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
      const working = host.effects[how](effect, over.signal);
      effects.add(working);
      const result = await working.finally(() => effects.delete(working));
      if (effect.kind === "attempt") settle(spent, result as { usage?: { usd?: number } });
      return result;
    },
    spend: () => {
      spent.dispatches += 1;
    },
    timeLeft: () => (run.limits.timeMs === undefined ? undefined : run.limits.timeMs - spent.at(world.now()).timeMs),
    limit: () => limitHit(run.limits, spent.at(world.now())),
  };
  return { run, conclusion };
}

/** What the run has spent: what the journal says, and what this engine adds to it. */
function spending(history: History, startedAt: number) {
  const finished = history.records.filter((record) => record.type === "agent.finished");
  const spent = {
    dispatches: history.records.filter((record) => record.type === "agent.started").length,
    usd: finished.reduce((sum, record) => sum + (record.usage?.usd ?? 0), 0),
    usdUnknown: finished.filter((record) => record.usage?.usd === undefined).length,
    at: (now: number): Spent => ({ ...spent, timeMs: history.workedMs + now - startedAt }),
  };
  return spent;
}

function settle(
  spent: { usd: number; usdUnknown: number },
  result: { readonly usage?: { readonly usd?: number } },
): void {
  if (result.usage?.usd === undefined) spent.usdUnknown += 1;
  else spent.usd += result.usage.usd;
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
  const limit = waits.find((wait) => wait.kind === "budget" || wait.kind === "time");
  const status = limit
    ? (limit.kind as "budget" | "time")
    : kinds.every((kind) => kind === "pause")
      ? "paused"
      : "waiting";
  run.conclude({
    kind: "suspended",
    status,
    reason: (limit ?? waits[0])?.title ?? "",
    waiting: waits.filter((wait) => wait.kind === "approval" || wait.kind === "pause").map((wait) => wait.id),
  });
}

/** A limit of time holds for what is under way too: an agent that hangs is the reason for having one. */
function keepTime(run: Run): void {
  const wait = async (): Promise<void> => {
    for (;;) {
      const left = run.timeLeft();
      if (left === undefined || run.over) return;
      if (left <= 0) break;
      await run.world.sleep(Math.min(left, LONGEST_SLEEP_MS), run.signal);
    }
    const hit = run.limit();
    if (hit) run.conclude({ kind: "suspended", status: hit.status, reason: hit.reason });
  };
  wait().catch((error: unknown) => run.conclude({ kind: "lost", error }));
}

/** Timers of Node count in 32 bits. */
const LONGEST_SLEEP_MS = 3_600_000;

/** Renews the claim until it is given back; a claim that is gone ends this engine's work. */
function keepClaim(parts: EngineParts, grip: Grip, run: Run): void {
  const { signal } = grip.released;
  const beat = async (): Promise<void> => {
    while (!signal.aborted) {
      await parts.world.sleep(parts.host.leaseMs / 3, signal);
      if (signal.aborted) return;
      if (!(await parts.host.runs.renew(grip.claim))) throw fenced(run.id);
    }
  };
  beat().catch((error: unknown) => run.conclude({ kind: "lost", error }));
}

function listen(grip: Grip, run: Run): void {
  const read = async (): Promise<void> => {
    while (!grip.over.signal.aborted) {
      await run.host.inbox.changed(run.id, grip.over.signal);
      if (!grip.over.signal.aborted) await run.letters.poll();
    }
  };
  read().catch((error: unknown) => run.conclude({ kind: "lost", error }));
}

function pipelineHash(parts: EngineParts, run: Run): string {
  return hashOfPipeline(parts, run.pipeline);
}

/** The body's own text, its version and its phases: enough to say later that the code is not the same. */
export function hashOfPipeline(parts: Pick<EngineParts, "world">, pipeline: Run["pipeline"]): string {
  const phases = pipeline.phases.map((phase) => phase.title);
  return parts.world.hash([pipeline.name, pipeline.version, ...phases, String(pipeline.body)].join("\n")).slice(0, 16);
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

function fenced(id: string): SignalboxError {
  return new SignalboxError(
    "FENCED",
    `Another engine has taken the run ${id} over; this one has stopped and written nothing more.`,
    "Nothing to do here: follow the run with `signalbox status`.",
  );
}
