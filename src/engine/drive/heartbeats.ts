import { SignalboxError } from "../../core/failure/errors.ts";
import type { EngineDeps } from "../engine.ts";
import type { Run } from "../run.ts";
import type { RunHandle } from "./open-run.ts";

/** Longest sleep, because timers of Node are limited to 32 bits. */
const LONGEST_SLEEP_MS = 3_600_000;

/**
 * Suspends the run at its time limit even while a step is running: an agent that hangs is the reason for such a limit.
 */
export function keepTime(run: Run): void {
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

/** Renews the claim until it is released. A lost claim ends this engine's work. */
export function keepLease(parts: EngineDeps, handle: RunHandle, run: Run): void {
  const { signal } = handle.released;
  const renewClaim = async (): Promise<void> => {
    while (!signal.aborted) {
      await parts.world.sleep(parts.host.leaseMs / 3, signal);
      if (signal.aborted) return;
      if (!(await parts.host.runs.renew(handle.lease))) throw createFencedError(run.id);
    }
  };
  renewClaim().catch((error: unknown) => run.conclude({ kind: "lost", error }));
}

export function listen(handle: RunHandle, run: Run): void {
  const read = async (): Promise<void> => {
    while (!handle.over.signal.aborted) {
      await run.host.inbox.changed(run.id, handle.over.signal);
      if (!handle.over.signal.aborted) await run.signals.poll();
    }
  };
  read().catch((error: unknown) => run.conclude({ kind: "lost", error }));
}

function createFencedError(id: string): SignalboxError {
  return new SignalboxError(
    "FENCED",
    `Another engine has taken over run ${id}. This engine stopped without writing anything more.`,
    "Follow the run with `signalbox status`.",
  );
}
