import type { RunPlayer } from "./run-player.ts";

export type Players = {
  /** Whoever works for the run is there for as long as anybody needs him. */
  during<T>(run: string, use: (player: RunPlayer) => Promise<T>): Promise<T>;
  /** One that is there already. */
  present(run: string): RunPlayer | undefined;
};

type Seat = { readonly player: Promise<RunPlayer>; here?: RunPlayer; users: number };

/** One for each run that something is done for here, made when the first thing begins and left when the last one ends. */
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
