import type { QueryResultRow } from "pg";
import type { Host, RunRow } from "../../../core/ports/host.ts";
import { runExists, runUnknown } from "../../errors.ts";
import type { Database } from "./database.ts";
import { insertRecords } from "./journal.ts";

type StoredRun = QueryResultRow & {
  id: string;
  pipeline: string;
  repo: string;
  created_at: number;
  status: string;
  exit: number | null;
  reason: string | null;
  owner: string | null;
  lease_until: number | null;
  fence: number;
};

export type RunsOptions = {
  readonly database: Database;
  readonly leaseMs: number;
  /** Named on every claim, so that the claims of a process that died can be lapsed together. */
  readonly executor: string;
};

export function postgresRuns({ database, leaseMs, executor }: RunsOptions): Host["runs"] {
  const { query } = database;
  return {
    create: (run, first = []) =>
      database.transaction(async (inside) => {
        const made = await inside(
          `INSERT INTO runs (id, pipeline, repo, created_at) VALUES ($1, $2, $3, now_ms())
         ON CONFLICT (id) DO NOTHING RETURNING id`,
          [run.id, run.pipeline, run.repo],
        );
        if (made.length === 0) throw runExists(run.id);
        await insertRecords(inside, run.id, first);
      }),
    async get(id) {
      const [row] = await query<StoredRun>("SELECT * FROM runs WHERE id = $1", [id]);
      return row && toRunRow(row);
    },
    async list(filter) {
      const rows = await query<StoredRun>(
        "SELECT * FROM runs WHERE $1::text IS NULL OR repo = $1 ORDER BY number DESC",
        [filter?.repo ?? null],
      );
      return rows.map(toRunRow);
    },
    async claim(run, owner) {
      const [won] = await query<{ fence: number }>(
        `UPDATE runs SET owner = $2, executor = $3, lease_until = now_ms() + $4, fence = fence + 1
         WHERE id = $1 AND (owner IS NULL OR lease_until <= now_ms()) RETURNING fence`,
        [run, owner, executor, leaseMs],
      );
      if (won) return { won: true, lease: { run, owner, fence: won.fence } };
      const [row] = await query<StoredRun>("SELECT * FROM runs WHERE id = $1", [run]);
      if (!row) throw runUnknown(run);
      // Released since we asked: the caller only needs to ask again, so the claim counts as lapsed now.
      return { won: false, owner: row.owner ?? "nobody", until: row.lease_until ?? 0 };
    },
    async renew(lease) {
      const rows = await query(
        "UPDATE runs SET lease_until = now_ms() + $4 WHERE id = $1 AND owner = $2 AND fence = $3 RETURNING id",
        [lease.run, lease.owner, lease.fence, leaseMs],
      );
      return rows.length === 1;
    },
    async release(lease) {
      await query(
        "UPDATE runs SET owner = NULL, executor = NULL, lease_until = NULL WHERE id = $1 AND owner = $2 AND fence = $3",
        [lease.run, lease.owner, lease.fence],
      );
    },
  };
}

function toRunRow(row: StoredRun): RunRow {
  return {
    id: row.id,
    pipeline: row.pipeline,
    repo: row.repo,
    createdAt: row.created_at,
    status: row.status,
    exit: row.exit,
    reason: row.reason,
    owner: row.owner,
    leaseUntil: row.lease_until,
    fence: row.fence,
  };
}
