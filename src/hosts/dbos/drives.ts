import { setTimeout as delay } from "node:timers/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriveResult, Handlers, Host } from "../../core/ports/host.ts";
import { awaitTask, type TaskWaiter } from "./await-task.ts";
import type { StopSignals } from "./stop-signal.ts";
import type { Database } from "./tables/database.ts";
import type { Tasks } from "./tables/tasks.ts";
import { captureOutcome, unwrapOutcome, type WorkflowOutcome } from "./workflows/outcome.ts";
import type { WorkflowBodies } from "./workflows/workflows.ts";

export type DriveDeps = TaskWaiter & {
  readonly tasks: Tasks;
  readonly stops: Pick<StopSignals, "ask">;
  /** Throws until `serve` has been called on this handle. */
  readonly handlers: () => Handlers;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
};

/**
 * A drive is a workflow `run:<id>:<n>`. While one is queued or running, further callers join it; afterwards a call
 * starts the next one.
 */
export function createDrive(parts: DriveDeps): Host["drive"] {
  const { tasks, stops, closing, handlers } = parts;
  return async (run, signal): Promise<DriveResult> => {
    handlers();
    const id = await tasks.wantDrive(run);
    const stop = () => void stops.ask(id).catch(() => undefined);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const outcome = await awaitTask(parts, id, closing);
      if (!outcome) throw createHostClosedError(run);
      // The id belongs to a drive, and a drive always returns a `DriveResult`.
      return unwrapOutcome(outcome as WorkflowOutcome<DriveResult>);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  };
}

export const createHostClosedError = (run: string): SignalboxError =>
  new SignalboxError(
    "INTERNAL",
    `The host was closed while it waited for run ${run} to end or suspend.`,
    "Nothing is lost: drive the run again, from here or any other process.",
  );

export type DriveBodyDeps = {
  readonly database: Database;
  readonly handlers: Handlers;
  readonly stops: StopSignals;
  readonly closing: AbortSignal;
};

export function createDriveBody(parts: DriveBodyDeps): WorkflowBodies["drive"] {
  const { handlers, stops } = parts;
  return async (id, run) => {
    const work = await stops.begin(id);
    try {
      const outcome = await captureOutcome(() => handlers.drive(run, work.signal), work.signal);
      // A worker that shuts down, is declared dead or loses the server marks its run as abandoned, so that the waker
      // restarts it. After a lost connection DBOS may record the outcome before another worker has taken the drive.
      if (work.abandoned() || isCutOff(outcome)) await markAbandoned(parts, run);
      return outcome;
    } finally {
      await work.end();
    }
  };
}

const TRY_AGAIN_MS = 1_000;

/**
 * Retries until the server answers, because nothing else would pick the run up. If the host closes, the reaper frees
 * the run.
 */
async function markAbandoned({ database, closing }: DriveBodyDeps, run: string): Promise<void> {
  for (;;) {
    try {
      await database.query("UPDATE runs SET abandoned = TRUE WHERE id = $1", [run]);
      return;
    } catch (error) {
      if (closing.aborted) throw error;
      await delay(TRY_AGAIN_MS, undefined, { signal: closing }).catch(() => undefined);
    }
  }
}

const isCutOff = (outcome: WorkflowOutcome<unknown>): boolean =>
  outcome.kind === "threw" && outcome.error.code === "DATABASE_UNREACHABLE";
