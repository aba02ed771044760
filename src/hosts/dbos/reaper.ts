import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { exclusively } from "./tables/lock.ts";
import { TASKS_TOPIC } from "./tables/tasks.ts";

export type ReaperParts = {
  readonly database: Database;
  readonly notices: Notices;
  readonly leaseMs: number;
  readonly log: (line: string) => void;
  /** Takes away what only a process that is gone had use for. */
  readonly forget: (process: string) => Promise<void>;
};

/** Long after anybody could ask who it was. */
const FORGET_MS = 3_600_000;

/**
 * Never ourselves, however late we are: we would find out by our own heartbeat. Nor while the server has just come up:
 * who lives has tried all the time, and is heard within a third of a lease.
 */
const LAPSED = `
  SELECT id FROM workers WHERE NOT dead AND until <= now_ms() AND id <> $1
    AND pg_postmaster_start_time() < now() - make_interval(secs => $2 / 3000.0)`;

/** Of somebody whose row is gone, by hand or by a restored copy: no heart of his will ever be missed. */
const OF_NOBODY = `
  SELECT id FROM tasks WHERE worker IS NOT NULL AND coalesce(taken_at, at) <= now_ms() - $1
    AND NOT EXISTS (SELECT FROM workers WHERE workers.id = tasks.worker)`;

const ORPHANED = `
  UPDATE tasks SET needs = array_remove(needs, 'worker:' || worker.process) FROM workers AS worker
  WHERE worker.id = ANY($1::text[]) AND 'worker:' || worker.process = ANY (needs)
    AND NOT EXISTS (SELECT FROM workers AS again WHERE again.process = worker.process AND NOT again.dead)`;

/**
 * DBOS recovers only what its own executor id had under way, and a dead worker's id never comes back. So a worker whose
 * heart has stopped is declared dead: its tasks are free, its claims have lapsed, and should it wake it finds out.
 */
export async function reap(parts: ReaperParts, worker: string): Promise<void> {
  await freeOfNobody(parts);
  const { database, notices, leaseMs, log } = parts;
  if ((await database.query(LAPSED, [worker, leaseMs])).length === 0) return;
  const freed = await exclusively(database, "reap", async (query) => {
    const dead = (await query<{ id: string }>(LAPSED, [worker, leaseMs])).map(({ id }) => id);
    await query("UPDATE workers SET dead = TRUE WHERE id = ANY($1::text[])", [dead]);
    await query("UPDATE runs SET lease_until = 0 WHERE executor = ANY($1::text[]) AND lease_until > 0", [dead]);
    const tasks = await query<{ id: string }>(
      "UPDATE tasks SET worker = NULL WHERE worker = ANY($1::text[]) RETURNING id",
      [dead],
    );
    // What only such a process could have taken is for everybody now.
    await query(ORPHANED, [dead]);
    await notices.post(query, TASKS_TOPIC);
    return tasks;
  });
  for (const { id } of freed) log(`reaper: ${id} of a dead worker is wanted again`);
  await forget(parts);
}

async function freeOfNobody({ database, notices, leaseMs, log }: ReaperParts): Promise<void> {
  if ((await database.query(OF_NOBODY, [leaseMs])).length === 0) return;
  const freed = await exclusively(database, "reap", async (query) => {
    const tasks = await query<{ id: string }>(
      `UPDATE tasks SET worker = NULL WHERE id IN (${OF_NOBODY}) RETURNING id`,
      [leaseMs],
    );
    await query(
      `UPDATE runs SET lease_until = 0 WHERE lease_until > 0 AND id IN (SELECT run FROM tasks WHERE kind = 'run' AND id = ANY($1::text[]))
         AND NOT EXISTS (SELECT FROM workers WHERE workers.id = runs.executor)`,
      [tasks.map(({ id }) => id)],
    );
    await notices.post(query, TASKS_TOPIC);
    return tasks;
  });
  for (const { id } of freed) log(`reaper: ${id} of a worker that nobody knows is wanted again`);
}

async function forget({ database, forget: takeAway }: ReaperParts): Promise<void> {
  const gone = await database.query<{ process: string }>(
    `DELETE FROM workers AS worker WHERE dead AND until < now_ms() - $1
       AND NOT EXISTS (SELECT FROM workers AS again WHERE again.process = worker.process AND NOT again.dead)
     RETURNING process`,
    [FORGET_MS],
  );
  for (const process of new Set(gone.map((row) => row.process))) await takeAway(process);
}
