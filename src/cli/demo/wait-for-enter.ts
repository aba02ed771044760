import { setTimeout as wait } from "node:timers/promises";

const PATIENCE_MS = 5_000;

/** Returns true if the viewer presses Enter in time. */
export async function waitForEnter(stopped: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const either = AbortSignal.any([stopped, over.signal]);
  const pressed = new Promise<boolean>((resolve) => process.stdin.once("data", () => resolve(true)));
  const late = wait(PATIENCE_MS, false, { signal: either }).catch(() => false);
  try {
    return await Promise.race([pressed, late]);
  } finally {
    over.abort();
    // An open terminal would keep the process alive.
    process.stdin.removeAllListeners("data").pause();
  }
}
