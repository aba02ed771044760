import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { DBOSConfig } from "@dbos-inc/dbos-sdk";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { Effect } from "../../../core/journal/effect.ts";
import type { DriveResult } from "../../../core/ports/host.ts";
import { importPeer } from "../optional-dependency.ts";
import type { Database } from "../tables/database.ts";
import { isConnectionLost, toUserError } from "../tables/failure.ts";
import type { TakenTask } from "../tables/tasks.ts";
import type { WorkflowOutcome } from "./outcome.ts";
import { createQuietLogger } from "./quiet-logger.ts";
import { toWorkflowState, type WorkflowState } from "./workflow-state.ts";

export type EffectOrder = { readonly effect: Effect<"attempt">; readonly verb: "start" | "resume" };

/** The bodies of the two kinds of workflow; `id` is the workflow id. */
export type WorkflowBodies = {
  drive(id: string, run: string): Promise<WorkflowOutcome<DriveResult>>;
  effect(id: string, order: EffectOrder): Promise<WorkflowOutcome<unknown>>;
};

export type Workflows = {
  /**
   * Resolves when the task's outcome is recorded. Restarts a workflow that a dead process had started; a finished one
   * is left unchanged.
   */
  carryOut(task: TakenTask): Promise<void>;
  see(id: string): Promise<WorkflowState | undefined>;
  /** Deletes what only a dead process needed. */
  forget(process: string): Promise<void>;
  close(): Promise<void>;
};

export type WorkflowOptions = {
  readonly database: Database;
  /**
   * Unique per process: DBOS recovers workflows with its own executor id by itself, which the reaper must decide
   * instead.
   */
  readonly process: string;
  readonly bodies: WorkflowBodies;
  readonly log: (line: string) => void;
};

/** DBOS's tables are in a schema next to ours. */
export const getDbosSchema = (schema: string): string => `${schema}_dbos`;

/**
 * Pinned, because an executor takes over only workflows of its own version. Compatibility depends on the journal, not
 * on the code.
 */
const APPLICATION_VERSION = "signalbox-1";
/** Connections that DBOS holds per process. */
export const DBOS_CONNECTIONS = 4;
/** Polling interval for restarted workflows; each poll costs every worker three queries. */
const QUEUE_MS = 1_000;
/** Short, because the caller has already waited for all work to end. */
const CLOSE_MS = 1_000;

/**
 * DBOS is a singleton, so a process serves one host at a time. Further handles on the same database can read, claim and
 * append, and leave drives and effects to the serving one.
 */
export async function launchWorkflows(options: WorkflowOptions): Promise<Workflows> {
  const { DBOS } = await importPeer("@dbos-inc/dbos-sdk", () => import("@dbos-inc/dbos-sdk"));
  if (DBOS.isInitialized()) throw createAlreadyServingError();
  const queueName = formatQueueName(options.process);
  const { drive, effect } = await launchWithRetry(DBOS, options);
  const begin = ({ id: workflowID, kind, body }: TakenTask) =>
    kind === "run"
      ? DBOS.startWorkflow(drive, { workflowID })(body)
      : // Only `effects.ts` writes the bodies of effects.
        DBOS.startWorkflow(effect, { workflowID })(JSON.parse(body) as EffectOrder);
  const getState = async (id: string) => toWorkflowState(await DBOS.getWorkflowStatus(id));
  return {
    async carryOut(task) {
      const seen = await getState(task.id);
      if (seen && !seen.active) return;
      if (!seen) {
        await (await begin(task)).getResult();
        return;
      }
      await DBOS.resumeWorkflow(task.id, { queueName });
      await DBOS.retrieveWorkflow(task.id).getResult();
    },
    see: getState,
    forget: (process) => DBOS.deleteQueue(formatQueueName(process)),
    async close() {
      await DBOS.deleteQueue(queueName).catch(() => undefined);
      await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: CLOSE_MS });
    },
  };
}

const LAUNCH_MS = 60_000;
const LAUNCH_AGAIN_MS = 500;

/** Retries a launch that fails because the server became unavailable. */
async function launchWithRetry(DBOS: Dbos, options: WorkflowOptions) {
  const from = performance.now();
  for (;;) {
    try {
      return await launchOnce(DBOS, options);
    } catch (error) {
      await DBOS.shutdown({ deregister: true });
      if (!isConnectionLost(error) || performance.now() - from > LAUNCH_MS)
        throw toUserError(error, options.database.url);
      await delay(LAUNCH_AGAIN_MS);
    }
  }
}

type Dbos = typeof import("@dbos-inc/dbos-sdk").DBOS;

async function launchOnce(DBOS: Dbos, options: WorkflowOptions) {
  const { bodies } = options;
  // DBOS numbers each call inside a workflow, and our replay cannot repeat those numbers. The bodies therefore run in
  // the outer async context, where DBOS sees no calls.
  const outside = AsyncLocalStorage.snapshot();
  const register = <In, Out>(name: string, body: (id: string, input: In) => Promise<Out>) =>
    DBOS.registerWorkflow((input: In) => outside(body, DBOS.workflowID ?? "", input), { name });
  const workflows = { drive: register("run", bodies.drive), effect: register("effect", bodies.effect) };
  DBOS.setConfig(createDbosConfig(options));
  await DBOS.launch();
  const how = { minPollingIntervalMs: QUEUE_MS, onConflict: "always_update" } as const;
  await DBOS.registerQueue(formatQueueName(options.process), how);
  return workflows;
}

/** Creates or updates DBOS's tables. Uses a launch, because DBOS's `migrate` prints to the terminal. */
export async function migrateWorkflows(database: Database): Promise<void> {
  const { DBOS } = await importPeer("@dbos-inc/dbos-sdk", () => import("@dbos-inc/dbos-sdk"));
  if (DBOS.isInitialized()) throw createAlreadyServingError();
  const options = { database, process: "migrate", log: () => undefined };
  DBOS.setConfig({ ...createDbosConfig(options), runMigrations: true, listenQueues: [], systemDatabasePoolSize: 1 });
  try {
    await DBOS.launch();
  } finally {
    await DBOS.shutdown({ deregister: true });
  }
}

/** One queue per process, and only that process listens to it: the tasks table decides who takes what. */
const formatQueueName = (process: string): string => `worker/${process}`;

function createDbosConfig({ database, process, log }: Omit<WorkflowOptions, "bodies">): DBOSConfig {
  return {
    name: "signalbox",
    systemDatabaseUrl: database.url,
    systemDatabaseSchemaName: getDbosSchema(database.schema),
    systemDatabasePoolSize: DBOS_CONNECTIONS,
    // A non-zero value is set by a query that overtakes the first one of its connection, which makes pg print a
    // warning.
    systemDatabaseIdleTransactionTimeoutMs: 0,
    runMigrations: false,
    applicationVersion: APPLICATION_VERSION,
    executorID: process,
    listenQueues: [formatQueueName(process)],
    useListenNotify: false,
    logger: createQuietLogger(log),
  };
}

const createAlreadyServingError = () =>
  new SignalboxError(
    "INTERNAL",
    "This process already serves a distributed host, and DBOS allows one per process.",
    "Close the other host first, or use a separate process.",
  );
