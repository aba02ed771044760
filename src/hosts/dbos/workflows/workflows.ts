import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { DBOSConfig } from "@dbos-inc/dbos-sdk";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { Effect } from "../../../core/journal/effect.ts";
import type { DriveResult } from "../../../core/ports/host.ts";
import { importPeer } from "../optional-dependency.ts";
import type { Database } from "../tables/database.ts";
import { isLost, meaningOf } from "../tables/failure.ts";
import type { TakenTask } from "../tables/tasks.ts";
import type { Outcome } from "./outcome.ts";
import { quietLogger } from "./quiet-logger.ts";
import { stateOf, type WorkflowState } from "./workflow-state.ts";

export type EffectOrder = { readonly effect: Effect<"attempt">; readonly verb: "start" | "resume" };

/** What the two kinds of workflow do; `id` is the workflow's own. */
export type Bodies = {
  drive(id: string, run: string): Promise<Outcome<DriveResult>>;
  effect(id: string, order: EffectOrder): Promise<Outcome<unknown>>;
};

export type Workflows = {
  /**
   * Resolves when the task's outcome is recorded. A workflow that a process had begun that is gone is begun again here;
   * one that came to its end is left as it is.
   */
  carryOut(task: TakenTask): Promise<void>;
  see(id: string): Promise<WorkflowState | undefined>;
  /** Takes away what only a process that is gone had use for. */
  forget(process: string): Promise<void>;
  close(): Promise<void>;
};

export type WorkflowOptions = {
  readonly database: Database;
  /** Of this process's life only: DBOS recovers by itself what carries its executor id, and the reaper is to decide. */
  readonly process: string;
  readonly bodies: Bodies;
  readonly log: (line: string) => void;
};

/** DBOS's tables lie beside ours. */
export const dbosSchema = (schema: string): string => `${schema}_dbos`;

/** Pinned: an executor only takes over what carries its own version, and ours is about the journal, not the code. */
const APPLICATION_VERSION = "signalbox-1";
/** DBOS holds this many connections per process. */
export const DBOS_CONNECTIONS = 4;
/** How soon a workflow that is begun again here begins; each look is three queries, of every worker. */
const QUEUE_MS = 1_000;
/** By then whoever closes has waited for all that goes on. */
const CLOSE_MS = 1_000;

/**
 * DBOS is one per process, so a process serves one host at a time; further handles on the same database read,
 * claim and append, and leave driving and effects to the one that serves.
 */
export async function launchWorkflows(options: WorkflowOptions): Promise<Workflows> {
  const { DBOS } = await importPeer("@dbos-inc/dbos-sdk", () => import("@dbos-inc/dbos-sdk"));
  if (DBOS.isInitialized()) throw servedAlready();
  const queueName = queueOf(options.process);
  const { drive, effect } = await launched(DBOS, options);
  const begin = ({ id: workflowID, kind, body }: TakenTask) =>
    kind === "run"
      ? DBOS.startWorkflow(drive, { workflowID })(body)
      : // Only `effects.ts` writes the bodies of effects.
        DBOS.startWorkflow(effect, { workflowID })(JSON.parse(body) as EffectOrder);
  const see = async (id: string) => stateOf(await DBOS.getWorkflowStatus(id));
  return {
    async carryOut(task) {
      const seen = await see(task.id);
      if (seen && !seen.active) return;
      if (!seen) {
        await (await begin(task)).getResult();
        return;
      }
      await DBOS.resumeWorkflow(task.id, { queueName });
      await DBOS.retrieveWorkflow(task.id).getResult();
    },
    see,
    forget: (process) => DBOS.deleteQueue(queueOf(process)),
    async close() {
      await DBOS.deleteQueue(queueName).catch(() => undefined);
      await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: CLOSE_MS });
    },
  };
}

const LAUNCH_MS = 60_000;
const LAUNCH_AGAIN_MS = 500;

/** Where the server goes away under a launch, it is launched again. */
async function launched(DBOS: Dbos, options: WorkflowOptions) {
  const from = performance.now();
  for (;;) {
    try {
      return await launch(DBOS, options);
    } catch (error) {
      await DBOS.shutdown({ deregister: true });
      if (!isLost(error) || performance.now() - from > LAUNCH_MS) throw meaningOf(error, options.database.url);
      await delay(LAUNCH_AGAIN_MS);
    }
  }
}

type Dbos = typeof import("@dbos-inc/dbos-sdk").DBOS;

async function launch(DBOS: Dbos, options: WorkflowOptions) {
  const { bodies } = options;
  // Inside a workflow DBOS numbers each call it sees, and no replay of ours could repeat those numbers.
  // Bodies therefore run in the context of before, where DBOS sees none.
  const outside = AsyncLocalStorage.snapshot();
  const register = <In, Out>(name: string, body: (id: string, input: In) => Promise<Out>) =>
    DBOS.registerWorkflow((input: In) => outside(body, DBOS.workflowID ?? "", input), { name });
  const workflows = { drive: register("run", bodies.drive), effect: register("effect", bodies.effect) };
  DBOS.setConfig(configOf(options));
  await DBOS.launch();
  const how = { minPollingIntervalMs: QUEUE_MS, onConflict: "always_update" } as const;
  await DBOS.registerQueue(queueOf(options.process), how);
  return workflows;
}

/** Makes or updates DBOS's own tables. Its launch does it, because its `migrate` prints on the user's terminal. */
export async function migrateWorkflows(database: Database): Promise<void> {
  const { DBOS } = await importPeer("@dbos-inc/dbos-sdk", () => import("@dbos-inc/dbos-sdk"));
  if (DBOS.isInitialized()) throw servedAlready();
  const options = { database, process: "migrate", log: () => undefined };
  DBOS.setConfig({ ...configOf(options), runMigrations: true, listenQueues: [], systemDatabasePoolSize: 1 });
  try {
    await DBOS.launch();
  } finally {
    await DBOS.shutdown({ deregister: true });
  }
}

/** One per process, and only that process listens to it: who takes what is decided by the tasks. */
const queueOf = (process: string): string => `worker/${process}`;

function configOf({ database, process, log }: Omit<WorkflowOptions, "bodies">): DBOSConfig {
  return {
    name: "signalbox",
    systemDatabaseUrl: database.url,
    systemDatabaseSchemaName: dbosSchema(database.schema),
    systemDatabasePoolSize: DBOS_CONNECTIONS,
    // Set by a query that overtakes the first one of its connection, which pg warns the user about.
    systemDatabaseIdleTransactionTimeoutMs: 0,
    runMigrations: false,
    applicationVersion: APPLICATION_VERSION,
    executorID: process,
    listenQueues: [queueOf(process)],
    useListenNotify: false,
    logger: quietLogger(log),
  };
}

const servedAlready = () =>
  new SignalboxError(
    "INTERNAL",
    "This process already serves a distributed host, and DBOS allows one per process.",
    "Close the other host first, or use a process of its own.",
  );
