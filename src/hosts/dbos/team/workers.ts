import type { Database } from "../tables/database.ts";

/** A worker's row. It is alive while its heartbeat is current; times are in the reader's clock. */
export type WorkerRow = {
  readonly id: string;
  /** `machine` and `process` form its display name. */
  readonly machine: string;
  readonly process: string;
  /** The repository whose runs it serves; null serves all. */
  readonly repo: string | null;
  readonly labels: readonly string[];
  /** Limit of concurrent attempts; null is unlimited. */
  readonly concurrency: number | null;
  readonly version: string;
  readonly since: number;
  readonly until: number;
};

/** Lists workers with a current heartbeat, longest-running first. */
export async function listLiveWorkers({ query }: Database, clockAhead: number): Promise<readonly WorkerRow[]> {
  const rows = await query<WorkerRow>(
    `SELECT id, machine, process, repo, labels, concurrency, version, since, until FROM workers
     WHERE NOT dead AND until > now_ms() ORDER BY since, id`,
  );
  return rows.map((row) => ({ ...row, since: row.since + clockAhead, until: row.until + clockAhead }));
}

/** A worker that holds a part of a run, or held it and is dead. Times are in the reader's clock. */
export type HolderRow = Pick<WorkerRow, "id" | "machine" | "process" | "until"> & {
  /** Drives the run, or performs one of its attempts. */
  readonly of: "run" | "effect";
  readonly heard: number;
  /** Declared dead by another worker; its tasks are free. */
  readonly dead: boolean;
};

type HolderQuestion = { readonly run: string; readonly clockAhead: number; readonly leaseMs: number };

/** The worker of an attempt that a dead one had started is not stored. */
const HOLDERS = `
  SELECT worker.id, machine, process, until, dead, held.kind AS of
  FROM workers AS worker JOIN (
    SELECT worker AS id, kind FROM tasks WHERE run = $1 AND worker IS NOT NULL
    UNION
    SELECT executor, kind FROM runs JOIN tasks ON tasks.run = runs.id AND kind = 'run' AND worker IS NULL
    WHERE runs.id = $1 AND executor IS NOT NULL
  ) AS held ON held.id = worker.id ORDER BY held.kind DESC, until`;

/** Lists the workers that hold the run or one of its attempts. The worker that drives the run comes first. */
export async function listHolders({ query }: Database, { run, clockAhead, leaseMs }: HolderQuestion) {
  const rows = await query<Omit<HolderRow, "heard">>(HOLDERS, [run]);
  return rows.map((row): HolderRow => {
    const until = row.until + clockAhead;
    return { ...row, until, heard: until - leaseMs };
  });
}
