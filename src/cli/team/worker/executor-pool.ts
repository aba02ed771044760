import type { RunExecutor } from "./run-executor.ts";

export type ExecutorPool = {
  /** Shares one executor per run among concurrent users and closes it after the last one. */
  during<T>(run: string, use: (player: RunExecutor) => Promise<T>): Promise<T>;
  /** Returns the executor if it is ready. */
  present(run: string): RunExecutor | undefined;
};

type PoolEntry = { readonly player: Promise<RunExecutor>; here?: RunExecutor; users: number };

/** Keeps one reference-counted executor per run: created on first use, settled when its last user leaves. */
export function createExecutorPool(make: (run: string) => Promise<RunExecutor>): ExecutorPool {
  const entries = new Map<string, PoolEntry>();
  const take = (run: string): PoolEntry => {
    const entry = entries.get(run) ?? { player: make(run), users: 0 };
    entries.set(run, entry);
    entry.users += 1;
    return entry;
  };
  return {
    present: (run) => entries.get(run)?.here,
    async during(run, use) {
      const entry = take(run);
      try {
        const player = await entry.player;
        entry.here = player;
        return await use(player);
      } finally {
        entry.users -= 1;
        if (entry.users === 0) {
          entries.delete(run);
          await entry.here?.executor.settled();
        }
      }
    },
  };
}
