import type { RunPlayer } from "./run-player.ts";

export type Players = {
  /** Shares one executor per run among concurrent users and closes it after the last one. */
  during<T>(run: string, use: (player: RunPlayer) => Promise<T>): Promise<T>;
  /** Returns the executor if it is ready. */
  present(run: string): RunPlayer | undefined;
};

type PoolEntry = { readonly player: Promise<RunPlayer>; here?: RunPlayer; users: number };

/** Keeps one reference-counted executor per run: created on first use, settled when its last user leaves. */
export function createPlayers(make: (run: string) => Promise<RunPlayer>): Players {
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
