import { AsyncLocalStorage } from "node:async_hooks";
import type { DBOSConfig } from "@dbos-inc/dbos-sdk";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Effect } from "../../core/journal/effect.ts";
import type { DriveResult } from "../../core/ports/host.ts";
import { importPeer } from "./optional-dependency.ts";
import type { Outcome } from "./outcome.ts";
import { type Database, POOL_SIZE } from "./tables/database.ts";
import { exclusivelyIdle } from "./tables/lock.ts";

export type EffectOrder = { readonly effect: Effect; readonly verb: "start" | "resume" };

/** What the two kinds of workflow do; `id` is the workflow's own. */
export type Bodies = {
  drive(id: string, run: string): Promise<Outcome<DriveResult>>;
  effect(id: string, order: EffectOrder): Promise<Outcome<unknown>>;
};

export type Executor = { readonly id: string; readonly queue: string };

type WorkflowState = { readonly active: boolean; readonly outcome: Outcome<unknown> | undefined };

/** Starting an id that is known already joins it: the body runs once, everyone gets its outcome. */
export type Workflows = {
  drive(id: string, run: string): Promise<Outcome<DriveResult>>;
  effect(id: string, order: EffectOrder): Promise<Outcome<unknown>>;
  see(id: string): Promise<WorkflowState | undefined>;
  /** Hands everything that these had under way to whoever serves their queues; gives the workflows' ids. */
  move(dead: readonly Executor[]): Promise<readonly string[]>;
  close(): Promise<void>;
};

export type WorkflowOptions = {
  readonly database: Database;
  readonly executor: string;
  readonly queue: string;
  readonly bodies: Bodies;
  readonly log: (line: string) => void;
};

/** Pinned: an executor only takes over what carries its own version, and ours is about the journal, not the code. */
const APPLICATION_VERSION = "signalbox-1";
const POLL_MS = 50;
/** How long a closing host waits for what it has told to stop. */
const CLOSE_MS = 10_000;

/**
 * DBOS is one per process, so a process serves one host at a time; further handles on the same database read,
 * claim and append, and leave driving and effects to the one that serves.
 */
export async function launchWorkflows(options: WorkflowOptions): Promise<Workflows> {
  const { DBOS } = await importPeer("@dbos-inc/dbos-sdk", () => import("@dbos-inc/dbos-sdk"));
  if (DBOS.isInitialized()) throw servedAlready();
  const { database, queue, bodies } = options;
  // Inside a workflow DBOS numbers each call it sees, and no replay of ours could repeat those numbers.
  // Bodies therefore run in the context of before, where DBOS sees none.
  const outside = AsyncLocalStorage.snapshot();
  const register = <In, Out>(name: string, body: (id: string, input: In) => Promise<Out>) =>
    DBOS.registerWorkflow((input: In) => outside(body, DBOS.workflowID ?? "", input), { name });
  const drive = register("run", bodies.drive);
  const effect = register("effect", bodies.effect);
  DBOS.setConfig(configOf(options));
  // Two first launches at once break DBOS's own migration: the lock lets them in one by one.
  try {
    await exclusivelyIdle(database, "launch", () => DBOS.launch());
    for (const name of Object.values(queuesOf(queue))) {
      await DBOS.registerQueue(name, { minPollingIntervalMs: POLL_MS, onConflict: "always_update" });
    }
  } catch (error) {
    await DBOS.shutdown({ deregister: true });
    throw error;
  }
  return {
    async drive(id, run) {
      const handle = await DBOS.startWorkflow(drive, { workflowID: id, queueName: queuesOf(queue).run })(run);
      return handle.getResult({ pollingIntervalMs: POLL_MS });
    },
    // Without a queue it begins at once, in this process: a queue would cost its polling interval each time. If the
    // process dies it is moved to the queue like everything else.
    async effect(id, order) {
      const handle = await DBOS.startWorkflow(effect, { workflowID: id })(order);
      return handle.getResult({ pollingIntervalMs: POLL_MS });
    },
    async see(id) {
      const status = await DBOS.getWorkflowStatus(id);
      if (!status) return undefined;
      const active = ["PENDING", "ENQUEUED", "DELAYED"].includes(status.status);
      // Only our bodies write outputs, and outcomes are all they return.
      return { active, outcome: status.status === "SUCCESS" ? (status.output as Outcome<unknown>) : undefined };
    },
    async move(dead) {
      const queues = new Map(dead.map(({ id, queue: served }) => [id, queuesOf(served)]));
      const pending = await DBOS.listWorkflows({ status: "PENDING", executorId: [...queues.keys()], loadInput: false });
      for (const { workflowID, workflowName, executorId = "" } of pending) {
        const { run, effect: effects } = queues.get(executorId) ?? queuesOf(queue);
        await DBOS.resumeWorkflow(workflowID, { queueName: workflowName === "run" ? run : effects });
      }
      return pending.map(({ workflowID }) => workflowID);
    },
    close: () => DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: CLOSE_MS }),
  };
}

function configOf({ database, executor, queue, log }: WorkflowOptions): DBOSConfig {
  return {
    name: "signalbox",
    systemDatabaseUrl: database.url,
    systemDatabaseSchemaName: `${database.schema}_dbos`,
    systemDatabasePoolSize: POOL_SIZE,
    // Set by a query that overtakes the first one of its connection, which pg warns the user about.
    systemDatabaseIdleTransactionTimeoutMs: 0,
    applicationVersion: APPLICATION_VERSION,
    executorID: executor,
    listenQueues: Object.values(queuesOf(queue)),
    useListenNotify: false,
    logger: {
      info: () => undefined,
      debug: () => undefined,
      warn: (line) => log(String(line)),
      error: (line) => log(String(line)),
    },
  };
}

/** Two, because runs wait for effects: on one queue with a cap they would wait for each other. */
const queuesOf = (queue: string) => ({ run: `${queue}/runs`, effect: `${queue}/effects` });

const servedAlready = () =>
  new SignalboxError(
    "INTERNAL",
    "This process already serves a distributed host, and DBOS allows one per process.",
    "Close the other host first, or use a process of its own.",
  );
