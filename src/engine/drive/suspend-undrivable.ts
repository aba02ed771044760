import { ERRORS, SignalboxError } from "../../core/failure/errors.ts";
import { getSuspensionExitCode } from "../../core/failure/exit-codes.ts";
import type { EngineDeps } from "../engine.ts";
import { indexHistory } from "../replay/history.ts";
import { createRecorder } from "./recorder.ts";
import { refuseDamaged } from "./refuse-damaged.ts";

type SuspensionDeps = Pick<EngineDeps, "host" | "world" | "owner">;

type UndrivableRun = {
  readonly run: string;
  /** The last record before the attempt to drive the run. A later `run.suspended` already gives the reason. */
  readonly after: number;
  readonly error: unknown;
};

/**
 * Suspends a run that could not be driven, with the reason. Otherwise it would be shown as running although no engine
 * writes its journal.
 */
export async function suspendUndrivable(
  { host, world, owner }: SuspensionDeps,
  { run, after, error }: UndrivableRun,
): Promise<void> {
  const claimed = await host.runs.claim(run, owner);
  // Another engine has the run by now and decides what becomes of it.
  if (!claimed.won) return;
  const { lease } = claimed;
  try {
    const history = indexHistory(await host.journal.load(run));
    const last = history.records.at(-1);
    if (history.ended || (last?.type === "run.suspended" && last.seq > after)) return;
    refuseDamaged(world, { run, records: history.records });
    const recorder = createRecorder({ host, world, lease, last: history.last, onFailure: () => undefined });
    recorder.record({ type: "run.suspended", status: "interrupted", ...describeDriveFailure(world, error) });
    await recorder.durable();
  } finally {
    await host.runs.release(lease);
  }
}

function describeDriveFailure({ redact }: Pick<EngineDeps["world"], "redact">, error: unknown) {
  if (error instanceof SignalboxError) {
    const { code, message, hint } = error;
    return { exit: ERRORS[code], reason: redact(`${message} ${hint}`), code };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exit: getSuspensionExitCode("interrupted"), reason: redact(`the worker could not run it: ${message}`) };
}
