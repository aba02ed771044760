import type { QueryResultRow } from "pg";
import type { Host, LeaseResult, RunRow, StampedRecord } from "../../../core/ports/host.ts";
import { createRunExistsError, createUnknownRunError } from "../../errors.ts";
import { serializeLedgerRows } from "./append.ts";
import type { Database } from "./database.ts";
import { isConnectionLost } from "./failure.ts";

type RunRecord = QueryResultRow & {
  id: string;
  pipeline: string;
  repo: string;
  created_at: number;
  status: string;
  exit: number | null;
  reason: string | null;
  owner: string | null;
  executor: string | null;
  lease_until: number | null;
  fence: number;
  submitter: string | null;
};

export type RunsOptions = {
  readonly database: Database;
  readonly leaseMs: number;
  /** Milliseconds to add to the database's time to get this machine's. */
  readonly clockAhead: number;
  /** Stored with every claim, so that all claims of a dead process can be lapsed together. */
  readonly worker: () => string;
};

export function createPostgresRuns(options: RunsOptions): Host["runs"] {
  const { database, leaseMs, clockAhead } = options;
  const { query } = database;
  return {
    create: (run, first = []) =>
      database.transaction(
        async (inside) => {
          const texts = first.map((record) => JSON.stringify(record));
          const [answer] = await inside<{ made: boolean }>("SELECT create_run($1,$2,$3,$4,$5) AS made", [
            run.id,
            run.pipeline,
            run.repo,
            texts,
            serializeLedgerRows(first),
          ]);
          if (!answer?.made) throw createRunExistsError(run.id);
        },
        { once: true },
      ),
    async get(id) {
      const [row] = await query<RunRecord>("SELECT * FROM runs WHERE id = $1", [id]);
      return row && toRunRow(row, clockAhead);
    },
    async list(filter) {
      const rows = await query<RunRecord>(
        "SELECT * FROM runs WHERE $1::text IS NULL OR repo = $1 ORDER BY number DESC",
        [filter?.repo ?? null],
      );
      return rows.map((row) => toRunRow(row, clockAhead));
    },
    claim: (run, owner) => claimRun(options, run, owner),
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

/** The records that an engine would write if it only read the run's signals and ended it. */
export type CanceledEnd = {
  /** The last record that the caller has read. */
  readonly after: number;
  readonly records: readonly StampedRecord[];
  readonly letters: readonly number[];
};

export async function cancelRun(database: Database, run: string, end: CanceledEnd): Promise<boolean> {
  const texts = end.records.map((record) => JSON.stringify(record));
  const canceled = "SELECT cancel_run($1,$2,$3,$4) AS done";
  const [answer] = await database.once<{ done: boolean }>(canceled, [run, end.after, texts, end.letters]);
  return answer?.done ?? false;
}

export async function countInitialRecords({ query }: Database, run: string): Promise<number> {
  const [row] = await query<{ born: number }>("SELECT born FROM runs WHERE id = $1", [run]);
  return row?.born ?? 0;
}

async function claimRun(
  { database, leaseMs, worker, clockAhead }: RunsOptions,
  run: string,
  owner: string,
): Promise<LeaseResult> {
  const executor = worker();
  let unanswered = false;
  const [won] = await database
    .once<{ fence: number }>(
      `UPDATE runs SET owner = $2, executor = $3, lease_until = now_ms() + $4, fence = fence + 1
       WHERE id = $1 AND (owner IS NULL OR lease_until <= now_ms()) RETURNING fence`,
      [run, owner, executor, leaseMs],
    )
    .catch((error: unknown) => {
      if (!isConnectionLost(error)) throw error;
      unanswered = true;
      return [];
    });
  if (won) return { won: true, lease: { run, owner, fence: won.fence } };
  const [row] = await database.query<RunRecord>("SELECT * FROM runs WHERE id = $1", [run]);
  if (!row) throw createUnknownRunError(run);
  // The claim without an answer did succeed.
  if (unanswered && row.owner === owner && row.executor === executor)
    return { won: true, lease: { run, owner, fence: row.fence } };
  // The run was released meanwhile. The claim counts as lapsed now, so that the caller asks again.
  return { won: false, owner: row.owner ?? "nobody", until: toLocalTime(row.lease_until, clockAhead) ?? 0 };
}

/** A lease that was ended explicitly is zero, in every clock. */
const toLocalTime = (at: number | null, ahead: number): number | null => (at ? at + ahead : at);

function toRunRow(row: RunRecord, clockAhead: number): RunRow {
  return {
    id: row.id,
    pipeline: row.pipeline,
    repo: row.repo,
    createdAt: row.created_at + clockAhead,
    status: row.status,
    exit: row.exit,
    reason: row.reason,
    owner: row.owner,
    leaseUntil: toLocalTime(row.lease_until, clockAhead),
    fence: row.fence,
    ...(row.submitter === null ? {} : { submitter: row.submitter }),
  };
}
