import type { Database } from "./database.ts";
import { exclusively } from "./lock.ts";
import type { Workflows } from "./workflows.ts";

export type ReaperParts = {
  readonly database: Database;
  readonly workflows: Workflows;
  readonly executor: string;
  readonly queue: string;
  readonly leaseMs: number;
  readonly log: (line: string) => void;
};

export type Reaper = {
  stop(): Promise<void>;
  /** Gives up what is still under way here, at once. */
  leave(): Promise<void>;
};

/** DBOS recovers only what its own executor id had under way, and a dead worker's id never comes back. */
export async function startReaper(parts: ReaperParts): Promise<Reaper> {
  await beat(parts);
  await reap(parts);
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(() => tick(parts)).catch((error: unknown) => parts.log(`reaper: ${String(error)}`));
  }, parts.leaseMs / 3);
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
    async leave() {
      await parts.database.query("UPDATE executors SET until = 0 WHERE id = $1", [parts.executor]);
    },
  };
}

async function tick(parts: ReaperParts): Promise<void> {
  await beat(parts);
  await reap(parts);
}

async function beat({ database, executor, queue, leaseMs }: ReaperParts): Promise<void> {
  await database.query(
    `INSERT INTO executors (id, queue, until) VALUES ($1, $2, now_ms() + $3)
     ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
    [executor, queue, leaseMs],
  );
}

/**
 * One reaper at a time: a second one that still had the old list would take a workflow away from the live worker
 * that has just got it.
 */
async function reap({ database, workflows, executor, log }: ReaperParts): Promise<void> {
  // Never ourselves, however late we are: what we have under way is still under way here.
  const lapsed = "SELECT id, queue FROM executors WHERE until < now_ms() AND id <> $1";
  if ((await database.query(lapsed, [executor])).length === 0) return;
  await exclusively(database, "reap", async (query) => {
    for (const dead of await query<{ id: string; queue: string }>(lapsed, [executor])) {
      // The owner is dead, so its claims are: the next drive need not wait for them to lapse.
      await database.query("UPDATE runs SET lease_until = 0 WHERE executor = $1 AND lease_until > 0", [dead.id]);
      const moved = await workflows.move(dead.id, dead.queue);
      await query("DELETE FROM executors WHERE id = $1 AND until < now_ms()", [dead.id]);
      if (moved > 0) log(`reaper: ${moved} workflows of ${dead.id} were moved to the queue ${dead.queue}`);
    }
  });
}
