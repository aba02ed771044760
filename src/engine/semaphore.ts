/** At most `size` holders at a time, first come, first served. */
export type Semaphore = { acquire(): Promise<() => void> };

export function createSemaphore(size: number): Semaphore {
  let free = size;
  const queue: (() => void)[] = [];
  const release = (): void => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async acquire() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
      let held = true;
      return () => {
        if (held) release();
        held = false;
      };
    },
  };
}

/** Acquires the innermost first: the holder of an outer slot is running, so no circular wait is possible. */
export async function acquireAll(semaphores: readonly Semaphore[]): Promise<() => void> {
  const releases: (() => void)[] = [];
  for (const each of semaphores.toReversed()) releases.push(await each.acquire());
  return () => {
    for (const release of releases) release();
  };
}
