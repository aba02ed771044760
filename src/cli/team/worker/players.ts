import type { RunPlayer } from "./run-player.ts";

export type Players = {
  /** Shares one executor per run among concurrent users and closes it after the last one. */
  during<T>(run: string, use: (player: RunPlayer) => Promise<T>): Promise<T>;
  /** Returns the executor if it is ready. */
  present(run: string): RunPlayer | undefined;
};

type Seat = { readonly player: Promise<RunPlayer>; here?: RunPlayer; users: number };

/** Keeps one reference-counted executor per run: created on first use, settled when its last user leaves. */
export function createPlayers(make: (run: string) => Promise<RunPlayer>): Players {
  const seats = new Map<string, Seat>();
  const take = (run: string): Seat => {
    const seat = seats.get(run) ?? { player: make(run), users: 0 };
    seats.set(run, seat);
    seat.users += 1;
    return seat;
  };
  return {
    present: (run) => seats.get(run)?.here,
    async during(run, use) {
      const seat = take(run);
      try {
        const player = await seat.player;
        seat.here = player;
        return await use(player);
      } finally {
        seat.users -= 1;
        if (seat.users === 0) {
          seats.delete(run);
          await seat.here?.executor.settled();
        }
      }
    },
  };
}
