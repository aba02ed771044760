import type { Database } from "../tables/database.ts";

/** A worker as it said it is. It lives while its heart beats; its times are in the reader's clock. */
export type WorkerRow = {
  readonly id: string;
  /** Machine and process together are its name. */
  readonly machine: string;
  readonly process: string;
  /** Whose runs it serves; null where it serves every repository's. */
  readonly repo: string | null;
  readonly labels: readonly string[];
  /** How many attempts it takes at once; null where it sets itself no limit. */
  readonly concurrency: number | null;
  readonly version: string;
  readonly since: number;
  readonly until: number;
};

/** Those whose heart still beats, the longest at work first. */
export async function liveWorkers({ query }: Database, clockAhead: number): Promise<readonly WorkerRow[]> {
  const rows = await query<WorkerRow>(
    `SELECT id, machine, process, repo, labels, concurrency, version, since, until FROM workers
     WHERE NOT dead AND until > now_ms() ORDER BY since, id`,
  );
  return rows.map((row) => ({ ...row, since: row.since + clockAhead, until: row.until + clockAhead }));
}

/** A worker that has something of a run, or had it and is dead; its times are in the reader's clock. */
export type HolderRow = Pick<WorkerRow, "id" | "machine" | "process" | "until"> & {
  /** Drives the run, or performs an attempt of it. */
  readonly of: "run" | "effect";
  readonly heard: number;
  /** Declared so by another one: what it had is free. */
  readonly dead: boolean;
};

type HolderQuestion = { readonly run: string; readonly clockAhead: number; readonly leaseMs: number };

/** Of attempts that a dead one had begun nobody knows any more whose they were. */
const HOLDERS = `
  SELECT worker.id, machine, process, until, dead, held.kind AS of
  FROM workers AS worker JOIN (
    SELECT worker AS id, kind FROM tasks WHERE run = $1 AND worker IS NOT NULL
    UNION
    SELECT executor, kind FROM runs JOIN tasks ON tasks.run = runs.id AND kind = 'run' AND worker IS NULL
    WHERE runs.id = $1 AND executor IS NOT NULL
  ) AS held ON held.id = worker.id ORDER BY held.kind DESC, until`;

/** Whoever drives it first. */
export async function holdersOf({ query }: Database, { run, clockAhead, leaseMs }: HolderQuestion) {
  const rows = await query<Omit<HolderRow, "heard">>(HOLDERS, [run]);
  return rows.map((row): HolderRow => {
    const until = row.until + clockAhead;
    return { ...row, until, heard: until - leaseMs };
  });
}
