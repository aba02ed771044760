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
async function stopWhenSilent({ spool, world, ended, stop }: Watch, silenceMs: number): Promise<void> {
  let quiet = 0;
  let seen = outputBytes(spool);
  while (quiet < SLICES) {
    await world.sleep(silenceMs / SLICES, ended);
    if (ended.aborted) return;
    const now = outputBytes(spool);
    quiet = now === seen ? quiet + 1 : 0;
    seen = now;
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
