import { runUnknown } from "../../errors.ts";
import { driverOf, workerLabel } from "../labels.ts";
import type { Claim } from "../stop-signal.ts";
import type { Database, Query } from "./database.ts";
import type { Notices } from "./listen-notify.ts";
import { lockName } from "./lock.ts";
import { SCHEMA } from "./schema.ts";

/** Something that a worker is wanted for, or has under way. It is gone when its outcome is recorded. */
export type TaskRow = {
  /** Of the workflow that it becomes. */
  readonly id: string;
  readonly kind: "run" | "effect";
  readonly run: string;
  readonly needs: readonly string[];
  /** Null while nobody has taken it. */
  readonly worker: string | null;
  readonly at: number;
};

/** A task as its worker gets it; the body of an effect is its order, that of a run its id. */
export type TakenTask = Pick<TaskRow, "id" | "kind" | "run"> & { readonly body: string };

/** How many attempts may be under way at once, in the whole team. */
export type Caps = {
  readonly global?: number;
  /** In each repository. */
  readonly repository?: number;
  /** By the driver's name. */
  readonly drivers?: Readonly<Record<string, number>>;
};

/** Only those that a worker had begun and died with, of the second kind. */
export type TakenKind = TaskRow["kind"] | "run:begun";

export type Taking = {
  readonly worker: string;
  /** Null takes every repository's. */
  readonly repo: string | null;
  readonly labels: readonly string[];
  readonly caps: Caps;
  readonly kinds: readonly TakenKind[];
  /** What it has under way: a task that is its own and not among them was taken without an answer. */
  readonly held: readonly string[];
};

export type NewEffectTask = {
  readonly id: string;
  readonly run: string;
  readonly needs: readonly string[];
  readonly body: string;
  /** The process that has what was begun of it: nobody else takes it while that one lives. */
  readonly near?: string | undefined;
};

export type Tasks = {
  /** The id of the drive that is wanted or under way; a new one where there is none. */
  wantDrive(run: string, needs?: readonly string[]): Promise<string>;
  /** A task that is there already stays as it is. */
  wantEffect(task: NewEffectTask): Promise<void>;
  /** The oldest run's that this worker may take, now its own. */
  take(by: Taking): Promise<TakenTask | undefined>;
  /** Its outcome is recorded. Nothing happens where it is another worker's by now. */
  end(id: string, worker: string): Promise<void>;
  /**
   * Nobody shall take it any more; undefined where somebody has, or where the claim in whose name it is asked is no
   * longer the newest of its run.
   */
  withdraw(id: string, claim: Claim): Promise<Withdrawn | undefined>;
  isOpen(id: string): Promise<boolean>;
  list(run?: string): Promise<readonly TaskRow[]>;
};

/** `begun`: a worker had taken it, and died. */
export type Withdrawn = { readonly begun: boolean };

/** Rung when something is wanted or has ended. */
export const TASKS_TOPIC = "tasks";
export const taskTopic = (id: string): string => `task/${id}`;

export type TasksParts = { readonly database: Database; readonly notices: Notices };

export function postgresTasks({ database, notices }: TasksParts): Tasks {
  const { query } = database;
  return {
    wantDrive: (run, needs) =>
      database.transaction(async (inside) => {
        const id = await wantDriveWithin(inside, run, needs);
        await notices.post(inside, TASKS_TOPIC);
        return id;
      }),
    wantEffect: ({ id, run, needs, body, near }) =>
      database.transaction(async (inside) => {
        const own = near !== undefined && (await isAlive(inside, near)) ? [workerLabel(near)] : [];
        const made = await inside(
          `INSERT INTO tasks (id, kind, run, repo, needs, driver, body, at, run_at)
           SELECT $1, 'effect', id, repo, $3, $4, $5, now_ms(), created_at FROM runs WHERE id = $2
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [id, run, [...needs, ...own], driverOf(needs), body],
        );
        if (made.length > 0) await notices.post(inside, TASKS_TOPIC);
      }),
    take: async ({ worker, repo, labels, caps, kinds, held }) => {
      const { global = null, repository = null, drivers = {} } = caps;
      const asked = [worker, repo, labels, kinds, global, repository, JSON.stringify(drivers), held, SCHEMA];
      const [taken] = await database.prepared<TakenTask>(TAKE, [...asked, lockName(database, "take")]);
      return taken;
    },
    end: (id, worker) =>
      database.transaction(async (inside) => {
        await inside("DELETE FROM tasks WHERE id = $1 AND worker = $2", [id, worker]);
        await notices.post(inside, TASKS_TOPIC);
        await notices.post(inside, taskTopic(id));
      }),
    withdraw: async (id, { run, fence = null }) => {
      const [withdrawn] = await query<Withdrawn>(WITHDRAW, [id, run, fence]);
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

/** Whoever would declare it dead waits for this transaction, and then finds what was wanted of it. */
async function isAlive(query: Query, process: string): Promise<boolean> {
  const alive = "SELECT FROM workers WHERE process = $1 AND NOT dead AND until > now_ms() FOR SHARE";
  return (await query(alive, [process])).length > 0;
}

/** The same, in the transaction of somebody who posts the notice. */
export async function wantDriveWithin(query: Query, run: string, needs?: readonly string[]): Promise<string> {
  const [wanted] = await query<{ id: string | null }>("SELECT want_drive($1,$2) AS id", [run, needs ?? null]);
  if (!wanted?.id) throw runUnknown(run);
  return wanted.id;
}

/** In one statement, against somebody who takes it now; with the stop that its dead worker had not heard of. */
const WITHDRAW = `
  WITH gone AS (
    DELETE FROM tasks WHERE id = $1 AND worker IS NULL
      AND ($3::bigint IS NULL OR EXISTS (SELECT FROM runs WHERE id = $2 AND fence = $3))
    RETURNING id, taken_at
  ), unheard AS (DELETE FROM stops USING gone WHERE workflow = gone.id)
  SELECT taken_at IS NOT NULL AS begun FROM gone`;

/**
 * Under a lock, because two that count what is under way at once would both find room. Nobody who was declared dead takes
 * anything, nor whose tables were changed under him.
 */
const TAKE = "SELECT * FROM take_task($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)";
