import type { Database } from "../tables/database.ts";

/** A worker as it said it is. It lives while its heart beats; its times are in the reader's clock. */
export type WorkerRow = {
  readonly id: string;
  readonly machine: string;
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
export function liveWorkers({ query }: Database, clockAhead: number): Promise<readonly WorkerRow[]> {
  return query<WorkerRow>(
    `SELECT id, machine, repo, labels, concurrency, version, since + $1 AS since, until + $1 AS until FROM workers
     WHERE NOT dead AND until > now_ms() ORDER BY since, id`,
    [clockAhead],
  );
}
