import type { ProcessLimits, StopReason } from "../../core/ports/processes.ts";
import type { World } from "../../core/ports/world.ts";
import { measureOutput, recordWork } from "../spool.ts";
import type { Growth } from "./growth.ts";

export type LimitWatch = {
  readonly spool: string;
  readonly limits: ProcessLimits;
  readonly growth: Growth;
  readonly world: World;
  /** Fires when the process has ended. */
  readonly ended: AbortSignal;
  readonly stop: (reason: StopReason) => void;
  /** The CPU time used so far. */
  readonly busyMs: () => number;
  /** A text that changes when anything in its folder changes. */
  readonly trace: () => Promise<string>;
};

/** Enforces three limits on a process; the first one exceeded stops it. */
export function watchLimits(watch: LimitWatch): void {
  const { wallMs, silenceMs, outputBytes: mostBytes } = watch.limits;
  if (wallMs !== undefined) void stopAfter(watch, wallMs);
  if (silenceMs !== undefined) void stopWhenSilent(watch, silenceMs);
  if (mostBytes !== undefined) void stopFlood(watch, mostBytes);
}

async function stopAfter({ world, ended, stop }: LimitWatch, wallMs: number): Promise<void> {
  await world.sleep(wallMs, ended);
  if (!ended.aborted) stop("timeout");
}

/** Counts quiet intervals instead of reading a clock, so that a clock jump does not stop an agent. */
async function stopWhenSilent(watch: LimitWatch, silenceMs: number): Promise<void> {
  const { spool, world, ended, stop } = watch;
  let quiet = 0;
  let before: Activity = { bytes: measureOutput(spool), busyMs: 0 };
  while (quiet < SLICES) {
    await world.sleep(silenceMs / SLICES, ended);
    if (ended.aborted) return;
    const now = { bytes: measureOutput(spool), busyMs: watch.busyMs(), trace: await watch.trace() };
    if (ended.aborted) return;
    const works = isWorking(before, now, silenceMs / SLICES);
    // Other activity is recorded for external readers; output has its own file times.
    if (works) recordWork(spool);
    quiet = works || now.bytes !== before.bytes ? 0 : quiet + 1;
    before = now;
  }
  stop("silent");
}

/** Observable activity of a silent process. The first observation has no trace to compare with. */
type Activity = { readonly bytes: number; readonly busyMs: number; readonly trace?: string };

/**
 * A compiler may be silent for long while it works. The same holds for a process that waits for a download or a
 * container build, as long as files change. A process that spins is stopped by the time limit.
 */
function isWorking(before: Activity, now: Activity, sliceMs: number): boolean {
  if (now.busyMs - before.busyMs >= sliceMs * BUSY_SHARE) return true;
  return before.trace !== undefined && now.trace !== before.trace;
}

async function stopFlood({ spool, growth, ended, stop }: LimitWatch, mostBytes: number): Promise<void> {
  while (!ended.aborted) {
    const grown = growth.next();
    if (measureOutput(spool) > mostBytes) return stop("flood");
    await grown;
  }
}

const SLICES = 4;
const BUSY_SHARE = 0.2;
