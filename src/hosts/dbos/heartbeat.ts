import type { Database } from "./tables/database.ts";

/** The properties that this process publishes to the team. */
export type WorkerOffer = {
  readonly machine: string;
  readonly repo: string | null;
  readonly labels: readonly string[];
  readonly concurrency: number | null;
  readonly version: string;
};

export type HeartbeatDeps = {
  readonly database: Database;
  readonly process: string;
  readonly offer: WorkerOffer;
  readonly leaseMs: number;
};

/** Maintains the worker's row. Leases use the database clock, because workers' clocks differ. */
export type Heartbeat = {
  begin(worker: string): Promise<void>;
  /** Returns false if another worker has declared this one dead and its tasks are free. */
  beat(worker: string): Promise<boolean>;
  /** Ends the lease now, so that others can take over unfinished work. */
  leave(worker: string): Promise<void>;
};

export function createHeartbeat({ database, process, offer, leaseMs }: HeartbeatDeps): Heartbeat {
  const { query } = database;
  return {
    async begin(worker) {
      const { machine, repo, labels, concurrency, version } = offer;
      await query(
        `INSERT INTO workers (id, process, machine, repo, labels, concurrency, version, since, until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now_ms(), now_ms() + $8) ON CONFLICT (id) DO NOTHING`,
        [worker, process, machine, repo, labels, concurrency, version, leaseMs],
      );
    },
    async beat(worker) {
      const alive = await query("UPDATE workers SET until = now_ms() + $2 WHERE id = $1 AND NOT dead RETURNING id", [
        worker,
        leaseMs,
      ]);
      return alive.length > 0;
    },
    async leave(worker) {
      await query("UPDATE workers SET until = now_ms() WHERE id = $1", [worker]);
    },
  };
}
