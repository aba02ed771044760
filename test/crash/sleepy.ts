import type { Host } from "../../src/core/ports/host.ts";

/**
 * Wraps a host whose k-th append does not arrive before `wake` is called, like a process that was paused and continues
 * later.
 */
export function sleepy(host: Host, k: number) {
  let appends = 0;
  let wake: () => void = () => {};
  let asleep: () => void = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const slept = new Promise<void>((resolve) => {
    asleep = resolve;
  });
  const append: Host["journal"]["append"] = async (lease, records) => {
    appends += 1;
    if (appends === k) {
      asleep();
      await woken;
    }
    return host.journal.append(lease, records);
  };
  return { host: { ...host, journal: { ...host.journal, append } } satisfies Host, slept, wake };
}
