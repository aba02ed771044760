import { createUnknownRunError } from "../../errors.ts";
import { findNeededDriver, formatWorkerLabel } from "../labels.ts";
import type { RunClaim } from "../stop-signal.ts";
import type { Database, Query } from "./database.ts";
import type { Notices } from "./listen-notify.ts";
import { formatLockName } from "./lock.ts";
import { SCHEMA } from "./schema.ts";

/** Work that is queued for a worker or running on one. It is deleted when its outcome is recorded. */
export type TaskRow = {
  /** Also the id of the workflow that performs it. */
  readonly id: string;
  readonly kind: "run" | "effect";
  readonly run: string;
  readonly needs: readonly string[];
  /** Null while no worker has taken it. */
  readonly worker: string | null;
  readonly at: number;
};

/** A task as its worker receives it. The body is the order of an effect or the id of a run. */
export type TakenTask = Pick<TaskRow, "id" | "kind" | "run"> & { readonly body: string };

/** Limits of concurrent attempts in the whole team. */
export type AttemptLimits = {
  readonly global?: number;
  /** Per repository. */
  readonly repository?: number;
  /** Per driver name. */
  readonly drivers?: Readonly<Record<string, number>>;
};

/** `run:begun` selects only runs whose worker died after starting them. */
export type TakenKind = TaskRow["kind"] | "run:begun";

export type TakeRequest = {
  readonly worker: string;
  /** Null takes tasks of every repository. */
  readonly repo: string | null;
  readonly labels: readonly string[];
  readonly caps: AttemptLimits;
  readonly kinds: readonly TakenKind[];
  /** The tasks that the worker knows it holds. Another task in its name was taken in a call that got no answer. */
  readonly held: readonly string[];
};

export type NewEffectTask = {
  readonly id: string;
  readonly run: string;
  readonly needs: readonly string[];
  readonly body: string;
  /**
   * The process that stores the unfinished work of the attempt. No other worker takes the task while that process
   * lives.
   */
  readonly near?: string | undefined;
};

export type Tasks = {
  /** Returns the id of the queued or running drive, or of a new one. */
  wantDrive(run: string, needs?: readonly string[]): Promise<string>;
  /** An existing task stays unchanged. */
  wantEffect(task: NewEffectTask): Promise<void>;
  /** Takes the oldest task that this worker may perform. */
  take(by: TakeRequest): Promise<TakenTask | undefined>;
  /** Deletes a task whose outcome is recorded. Does nothing if it belongs to another worker now. */
  end(id: string, worker: string): Promise<void>;
  /**
   * Withdraws a task without a worker. Returns undefined if a worker has it or the claim is no longer the newest of its
   * run.
   */
  withdraw(id: string, claim: RunClaim): Promise<WithdrawnTask | undefined>;
  isOpen(id: string): Promise<boolean>;
  list(run?: string): Promise<readonly TaskRow[]>;
};

/** `begun`: a worker had taken it and died. */
export type WithdrawnTask = { readonly begun: boolean };

/** Rings when a task is queued or has ended. */
export const TASKS_TOPIC = "tasks";
export const formatTaskTopic = (id: string): string => `task/${id}`;

export type TasksDeps = { readonly database: Database; readonly notices: Notices };

export function createTasks({ database, notices }: TasksDeps): Tasks {
  const { query } = database;
  return {
    wantDrive: (run, needs) =>
      database.transaction(async (inside) => {
        const id = await requestDrive(inside, run, needs);
        await notices.post(inside, TASKS_TOPIC);
        return id;
      }),
    wantEffect: ({ id, run, needs, body, near }) =>
      database.transaction(async (inside) => {
        const own = near !== undefined && (await isProcessAlive(inside, near)) ? [formatWorkerLabel(near)] : [];
        const made = await inside(
          `INSERT INTO tasks (id, kind, run, repo, needs, driver, body, at, run_at)
           SELECT $1, 'effect', id, repo, $3, $4, $5, now_ms(), created_at FROM runs WHERE id = $2
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [id, run, [...needs, ...own], findNeededDriver(needs), body],
        );
        if (made.length > 0) await notices.post(inside, TASKS_TOPIC);
      }),
    take: async ({ worker, repo, labels, caps, kinds, held }) => {
      const { global = null, repository = null, drivers = {} } = caps;
      const asked = [worker, repo, labels, kinds, global, repository, JSON.stringify(drivers), held, SCHEMA];
      const [taken] = await database.prepared<TakenTask>(TAKE, [...asked, formatLockName(database, "take")]);
      return taken;
    },
    end: (id, worker) =>
      database.transaction(async (inside) => {
        await inside("DELETE FROM tasks WHERE id = $1 AND worker = $2", [id, worker]);
        await notices.post(inside, TASKS_TOPIC);
        await notices.post(inside, formatTaskTopic(id));
      }),
    withdraw: async (id, { run, fence = null }) => {
      const [withdrawn] = await query<WithdrawnTask>(WITHDRAW, [id, run, fence]);
      return withdrawn;
    },
    isOpen: async (id) => (await query("SELECT FROM tasks WHERE id = $1", [id])).length > 0,
    list: (run) =>
      query<TaskRow>(
        `SELECT id, kind, run, needs, worker, at FROM tasks WHERE $1::text IS NULL OR run = $1 ORDER BY number`,
        [run ?? null],
      ),
  };
}

/** `FOR SHARE` makes a reaper that would declare the process dead wait for this transaction and see the new task. */
async function isProcessAlive(query: Query, process: string): Promise<boolean> {
  const alive = "SELECT FROM workers WHERE process = $1 AND NOT dead AND until > now_ms() FOR SHARE";
  return (await query(alive, [process])).length > 0;
}

/** For callers that post the notice themselves in the same transaction. */
export async function requestDrive(query: Query, run: string, needs?: readonly string[]): Promise<string> {
  const [wanted] = await query<{ id: string | null }>("SELECT want_drive($1,$2) AS id", [run, needs ?? null]);
  if (!wanted?.id) throw createUnknownRunError(run);
  return wanted.id;
}

/**
 * One statement, so that no worker can take the task meanwhile. Also deletes a stop that its dead worker never
 * received.
 */
const WITHDRAW = `
  WITH gone AS (
    DELETE FROM tasks WHERE id = $1 AND worker IS NULL
      AND ($3::bigint IS NULL OR EXISTS (SELECT FROM runs WHERE id = $2 AND fence = $3))
    RETURNING id, taken_at
  ), unheard AS (DELETE FROM stops USING gone WHERE workflow = gone.id)
  SELECT taken_at IS NOT NULL AS begun FROM gone`;

/**
 * Runs under a lock, because two workers that count concurrently would both find a free slot. A worker that was
 * declared dead or whose schema changed gets nothing.
 */
const TAKE = "SELECT * FROM take_task($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)";
