import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { withSchemaLock } from "./tables/lock.ts";
import { TASKS_TOPIC } from "./tables/tasks.ts";

export type ReaperDeps = {
  readonly database: Database;
  readonly notices: Notices;
  readonly leaseMs: number;
  readonly log: (line: string) => void;
  /** Deletes what only a dead process needed. */
  readonly forget: (process: string) => Promise<void>;
};

/** Time for which a dead worker's row stays readable. */
const FORGET_MS = 3_600_000;

/**
 * Excludes this worker: a late one finds out by its own heartbeat. Excludes everybody for a third of a lease after the
 * server started, so that live workers can report first.
 */
const LAPSED = `
  SELECT id FROM workers WHERE NOT dead AND until <= now_ms() AND id <> $1
    AND pg_postmaster_start_time() < now() - make_interval(secs => $2 / 3000.0)`;

/**
 * Tasks of a worker whose row is missing, because it was deleted by hand or a backup was restored. No missed heartbeat
 * would free them.
 */
const UNOWNED = `
  SELECT id FROM tasks WHERE worker IS NOT NULL AND coalesce(taken_at, at) <= now_ms() - $1
    AND NOT EXISTS (SELECT FROM workers WHERE workers.id = tasks.worker)`;

const ORPHANED = `
  UPDATE tasks SET needs = array_remove(needs, 'worker:' || worker.process) FROM workers AS worker
  WHERE worker.id = ANY($1::text[]) AND 'worker:' || worker.process = ANY (needs)
    AND NOT EXISTS (SELECT FROM workers AS again WHERE again.process = worker.process AND NOT again.dead)`;

/**
 * Declares workers without a heartbeat dead, which frees their tasks and lapses their claims. DBOS recovers only
 * workflows of its own executor id, and the id of a dead worker is never used again. A worker that wakes up later
 * learns it from its heartbeat.
 */
export async function reclaimFromDeadWorkers(parts: ReaperDeps, worker: string): Promise<void> {
  await reclaimUnownedTasks(parts);
  const { database, notices, leaseMs, log } = parts;
  if ((await database.query(LAPSED, [worker, leaseMs])).length === 0) return;
  const freed = await withSchemaLock(database, "reap", async (query) => {
    const dead = (await query<{ id: string }>(LAPSED, [worker, leaseMs])).map(({ id }) => id);
    await query("UPDATE workers SET dead = TRUE WHERE id = ANY($1::text[])", [dead]);
    await query("UPDATE runs SET lease_until = 0 WHERE executor = ANY($1::text[]) AND lease_until > 0", [dead]);
    const tasks = await query<{ id: string }>(
      "UPDATE tasks SET worker = NULL WHERE worker = ANY($1::text[]) RETURNING id",
      [dead],
    );
    // Removes the label of the dead process, so that any worker can take these tasks.
    await query(ORPHANED, [dead]);
    await notices.post(query, TASKS_TOPIC);
    return tasks;
  });
  for (const { id } of freed) log(`reaper: ${id} of a dead worker is queued again`);
  await forgetDeadProcesses(parts);
}

async function reclaimUnownedTasks({ database, notices, leaseMs, log }: ReaperDeps): Promise<void> {
  if ((await database.query(UNOWNED, [leaseMs])).length === 0) return;
  const freed = await withSchemaLock(database, "reap", async (query) => {
    const tasks = await query<{ id: string }>(`UPDATE tasks SET worker = NULL WHERE id IN (${UNOWNED}) RETURNING id`, [
      leaseMs,
    ]);
    await query(
      `UPDATE runs SET lease_until = 0 WHERE lease_until > 0 AND id IN (SELECT run FROM tasks WHERE kind = 'run' AND id = ANY($1::text[]))
         AND NOT EXISTS (SELECT FROM workers WHERE workers.id = runs.executor)`,
      [tasks.map(({ id }) => id)],
    );
    await notices.post(query, TASKS_TOPIC);
    return tasks;
  });
  for (const { id } of freed) log(`reaper: ${id} of an unknown worker is queued again`);
}

async function forgetDeadProcesses({ database, forget: takeAway }: ReaperDeps): Promise<void> {
  const gone = await database.query<{ process: string }>(
    `DELETE FROM workers AS worker WHERE dead AND until < now_ms() - $1
       AND NOT EXISTS (SELECT FROM workers AS again WHERE again.process = worker.process AND NOT again.dead)
     RETURNING process`,
    [FORGET_MS],
  );
  for (const process of new Set(gone.map((row) => row.process))) await takeAway(process);
}
