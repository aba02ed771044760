import type { ProcessLimits, StopReason } from "../../core/ports/processes.ts";
import type { World } from "../../core/ports/world.ts";
import { outputBytes, recordWork } from "../spool.ts";
import type { Growth } from "./growth.ts";

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
  /** Another one as soon as something in its folder has changed. */
  readonly trace: () => Promise<string>;
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
  let before: Signs = { bytes: outputBytes(spool), busyMs: 0 };
  while (quiet < SLICES) {
    await world.sleep(silenceMs / SLICES, ended);
    if (ended.aborted) return;
    const now = { bytes: outputBytes(spool), busyMs: watch.busyMs(), trace: await watch.trace() };
    if (ended.aborted) return;
    const works = isAtWork(before, now, silenceMs / SLICES);
    // Output tells by itself when it was; whoever looks from outside cannot see the rest.
    if (works) recordWork(spool);
    quiet = works || now.bytes !== before.bytes ? 0 : quiet + 1;
    before = now;
  }
  stop("silent");
}

/** What can be seen of a process that says nothing. The first look at its folder has none to be compared with. */
type Signs = { readonly bytes: number; readonly busyMs: number; readonly trace?: string };

/**
 * A compiler may be silent for long and is at work all the same; so is one who waits for a download or for a build in
 * a container, as long as files come of it. The limit of time is there for one that spins.
 */
function isAtWork(before: Signs, now: Signs, sliceMs: number): boolean {
  if (now.busyMs - before.busyMs >= sliceMs * BUSY_SHARE) return true;
  return before.trace !== undefined && now.trace !== before.trace;
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
