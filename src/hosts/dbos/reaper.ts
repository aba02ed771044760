import type { Database } from "./tables/database.ts";
import { exclusively } from "./tables/lock.ts";
import type { Executor, Workflows } from "./workflows.ts";

export type ReaperParts = {
  readonly database: Database;
  readonly executor: string;
  readonly queue: string;
  readonly leaseMs: number;
  readonly log: (line: string) => void;
};

/** DBOS recovers only what its own executor id had under way, and a dead worker's id never comes back. */
export type Reaper = {
  /** To be called before anything can begin here: what has no heartbeat is never looked for. */
  beat(): Promise<void>;
  start(workflows: Workflows): Promise<void>;
  stop(): Promise<void>;
  /** Gives up what is still under way here, at once. */
  leave(): Promise<void>;
};

/** A worker that was only asleep may begin something before its heart beats again, so lapsed ones are kept in view. */
const FORGET_MS = 3_600_000;

export function createReaper(parts: ReaperParts): Reaper {
  const { database, executor, queue, leaseMs, log } = parts;
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  const beat = async () => {
    await database.query(
      `INSERT INTO executors (id, queue, until) VALUES ($1, $2, now_ms() + $3)
       ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
      [executor, queue, leaseMs],
    );
  };
  return {
    beat,
    async start(workflows) {
      await reap(parts, workflows);
      const tick = () => beat().then(() => reap(parts, workflows));
      timer = setInterval(() => {
        round = round.then(tick).catch((error: unknown) => log(`reaper: ${String(error)}`));
      }, leaseMs / 3);
    },
    async stop() {
      clearInterval(timer);
      await round;
    },
    async leave() {
      await database.query("UPDATE executors SET until = now_ms() WHERE id = $1", [executor]);
    },
  };
}

/** Never ourselves, however late we are: what we have under way is still under way here. */
const LAPSED = "SELECT id, queue FROM executors WHERE until <= now_ms() AND id <> $1";

/**
 * One reaper at a time: a second one that still had the old list would take a workflow away from the live worker
 * that has just got it.
 */
async function reap({ database, executor, log }: ReaperParts, workflows: Workflows): Promise<void> {
  if ((await database.query(LAPSED, [executor])).length === 0) return;
  await exclusively(database, "reap", async (query) => {
    const dead = await query<Executor>(LAPSED, [executor]);
    // Their owner is dead, so the claims are: the next drive need not wait for them. Outside the transaction, because
    // it must be visible before the workflows move.
    await database.query("UPDATE runs SET lease_until = 0 WHERE executor = ANY($1::text[]) AND lease_until > 0", [
      dead.map(({ id }) => id),
    ]);
    for (const workflow of await workflows.move(dead))
      log(`reaper: ${workflow} of a dead worker is on the queue again`);
    await query("DELETE FROM executors WHERE until < now_ms() - $1", [FORGET_MS]);
  });
}
