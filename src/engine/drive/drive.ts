import { FINISHED } from "../../core/authoring/end.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriveResult, Lease } from "../../core/ports/host.ts";
import type { EngineDeps } from "../engine.ts";
import { indexHistory } from "../replay/history.ts";
import { hashPipeline } from "../replay/pipeline-hash.ts";
import type { Conclusion, Run } from "../run.ts";
import { finishRun } from "./finish-run.ts";
import { keepLease, keepTime, listen } from "./heartbeats.ts";
import { openRun, type RunHandle } from "./open-run.ts";
import { refuseDamaged } from "./refuse-damaged.ts";
import { startBody } from "./run-body.ts";
import { listUndoWrites } from "./undo-writes.ts";

/**
 * Runs or resumes one run until it ends or suspends. Recovery is the same call on a journal that already has records.
 */
export async function driveToConclusion(parts: EngineDeps, id: string, signal: AbortSignal): Promise<DriveResult> {
  for (;;) {
    const { waiting, ...result } = await driveOnce(parts, id, signal);
    // An answer that arrives while the run is being suspended would stay unread until someone calls `resume`.
    if (signal.aborted || !(await hasMail(parts, id, waiting))) return result;
  }
}

type DriveOutcome = DriveResult & { readonly waiting: readonly string[] };

async function driveOnce(parts: EngineDeps, id: string, signal: AbortSignal): Promise<DriveOutcome> {
  const lease = await takeLease(parts, id, signal);
  const over = new AbortController();
  const released = new AbortController();
  try {
    const history = indexHistory(await parts.host.journal.load(id));
    // A replay removes the end from the records that it compares, and stores nothing.
    if (!parts.replays) refuseDamaged(parts.world, { run: id, records: history.records });
    const { ended } = history;
    if (ended) return { status: ended.status, exit: ended.exit, waiting: [] };
    return await driveUntilConcluded(parts, { lease, history, signal, over, released });
  } finally {
    over.abort();
    released.abort();
    await parts.host.runs.release(lease);
  }
}

async function hasMail(parts: EngineDeps, id: string, waiting: readonly string[]): Promise<boolean> {
  if (waiting.length === 0) return false;
  const letters = await parts.host.inbox.unread(id);
  return letters.some(({ letter: signal }) => signal.kind !== "answer" || waiting.includes(signal.approval));
}

export const createRunOwnedError = (id: string, owner: string): SignalboxError =>
  new SignalboxError(
    "RUN_OWNED",
    `The run ${id} is already running under ${owner}.`,
    "Follow it with `signalbox events`, or stop that engine first. Its claim expires after it is gone.",
  );

async function takeLease(parts: EngineDeps, id: string, signal: AbortSignal): Promise<Lease> {
  for (;;) {
    const result = await parts.host.runs.claim(id, parts.owner);
    if (result.won) return result.lease;
    const left = result.until - parts.world.now();
    if (!parts.patient || signal.aborted) {
      throw createRunOwnedError(id, result.owner);
    }
    await parts.world.sleep(Math.min(Math.max(left, 50), 1_000), signal);
  }
}

async function driveUntilConcluded(parts: EngineDeps, handle: RunHandle): Promise<DriveOutcome> {
  const { run, conclusion } = openRun(parts, handle);
  run.recorder.record({
    type: "engine.started",
    owner: parts.owner,
    fence: handle.lease.fence,
    hash: hashPipeline(parts.world, run.pipeline),
    ...(parts.sandbox === undefined ? {} : { sandbox: parts.sandbox }),
  });
  const interrupt = () => run.conclude(createInterruption(handle.signal.reason));
  handle.signal.addEventListener("abort", interrupt, { once: true });
  if (handle.signal.aborted) interrupt();
  keepLease(parts, handle, run);
  // Reads signals first: one of them may raise the limits.
  await run.signals.poll();
  keepTime(run);
  listen(handle, run);
  if (!run.over) startBody(run);
  const outcome = await conclusion;
  handle.signal.removeEventListener("abort", interrupt);
  if (outcome.kind !== "lost" && handle.history.keys.length > 0) await restore(parts, handle, run);
  const result = await finishRun(run, outcome, handle.lease);
  if (result.status === "canceled") await undoWrites(parts, run.id).catch(() => undefined);
  // A failed cleanup does not change the status of the run; `gc` finds what is left.
  if (FINISHED.some((status) => status === result.status)) await parts.performer.tidy?.(run.id).catch(() => undefined);
  const asked = outcome.kind === "suspended" ? (outcome.waiting ?? []) : [];
  return { ...result, waiting: asked };
}

/** Reverts files of a canceled run. A file that cannot be reverted is left for a person to see. */
async function undoWrites({ performer, host }: EngineDeps, id: string): Promise<void> {
  await performer.undo?.(id, listUndoWrites(await host.journal.load(id)));
}

/**
 * Runs after the body has stopped, because only then is the last text of each file known.
 * @rule A-03 (code) A projection is always replaced as a whole, and is restored from the journal when it is lost.
 */
async function restore({ performer, host }: EngineDeps, { lease }: RunHandle, { id, state }: Run): Promise<void> {
  // An engine that has lost the run without knowing it has an outdated state of these files.
  if (!(await host.runs.renew(lease).catch(() => false))) return;
  const mirrors = state.rendered.entries().map(([path, text]) => ({ path, text, to: "mirror" as const }));
  const files = state.projected.entries().map(([path, text]) => ({ path, text, to: "checkout" as const }));
  // These are copies for people. A full disk must not prevent the end of the run; the next engine tries again.
  await performer.restore?.(id, [...mirrors, ...files]).catch(() => undefined);
}

/** The abort reason can carry the exit code of the process, such as 143 for SIGTERM. */
function createInterruption(reason: unknown): Conclusion {
  const exit = typeof reason === "object" && reason !== null && "exit" in reason ? Number(reason.exit) : undefined;
  const suspended = { kind: "suspended", status: "interrupted", reason: "the engine was stopped" } as const;
  return exit === undefined ? suspended : { ...suspended, exit };
}
