import type { ProcessLimits, StopReason } from "../core/ports/processes.ts";
import type { World } from "../core/ports/world.ts";
import type { Growth } from "./growth.ts";
import { outputBytes } from "./spool.ts";

export type Watch = {
  readonly spool: string;
  readonly limits: ProcessLimits;
  readonly growth: Growth;
  readonly world: World;
  /** Fires when the process has ended. */
  readonly ended: AbortSignal;
  readonly stop: (reason: StopReason) => void;
  /** How long it has kept a processor busy so far. */
  readonly busyMs: () => number;
};

/** Three clocks over one process; the first to run out stops it. */
export function watchLimits(watch: Watch): void {
  const { wallMs, silenceMs, outputBytes: mostBytes } = watch.limits;
  if (wallMs !== undefined) void stopAfter(watch, wallMs);
  if (silenceMs !== undefined) void stopWhenSilent(watch, silenceMs);
  if (mostBytes !== undefined) void stopFlood(watch, mostBytes);
}

async function stopAfter({ world, ended, stop }: Watch, wallMs: number): Promise<void> {
  await world.sleep(wallMs, ended);
  if (!ended.aborted) stop("timeout");
}

/** Counts quiet slices instead of reading a clock: a clock that jumps must not end an agent. */
async function stopWhenSilent(watch: Watch, silenceMs: number): Promise<void> {
  const { spool, world, ended, stop } = watch;
  let quiet = 0;
  let seen = outputBytes(spool);
  let busy = 0;
  while (quiet < SLICES) {
    await world.sleep(silenceMs / SLICES, ended);
    if (ended.aborted) return;
    const now = outputBytes(spool);
    const worked = watch.busyMs();
    // A compiler may be silent for long and is at work all the same; the limit of time is there for one that spins.
    const alive = now !== seen || worked - busy >= (silenceMs / SLICES) * BUSY_SHARE;
    quiet = alive ? 0 : quiet + 1;
    seen = now;
    busy = worked;
  }
  stop("silent");
}

async function stopFlood({ spool, growth, ended, stop }: Watch, mostBytes: number): Promise<void> {
  while (!ended.aborted) {
    const grown = growth.next();
    if (outputBytes(spool) > mostBytes) return stop("flood");
    await grown;
  }
}

const SLICES = 4;
const BUSY_SHARE = 0.2;
