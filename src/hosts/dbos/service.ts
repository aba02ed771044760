import { setTimeout as delay } from "node:timers/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Handlers } from "../../core/ports/host.ts";
import { createDriveBody } from "./drives.ts";
import { createEffectBody } from "./effects.ts";
import type { LogFailure } from "./failure-logger.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { reclaimFromDeadWorkers } from "./reaper.ts";
import type { StopSignals } from "./stop-signal.ts";
import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { requireSchema } from "./tables/schema.ts";
import { TASKS_TOPIC } from "./tables/tasks.ts";
import { launchWorkflows, type Workflows } from "./workflows/workflows.ts";

export type ServiceDeps = {
  readonly database: Database;
  readonly notices: Notices;
  readonly closing: AbortSignal;
  readonly stops: StopSignals;
  readonly heartbeat: Heartbeat;
  readonly identity: WorkerIdentity;
  /** The display name of this process. It stays the same when the worker restarts under a new id. */
  readonly name: string;
  readonly leaseMs: number;
  readonly newId: () => string;
  readonly log: (line: string) => void;
  readonly complain: LogFailure;
  /** Starts the background loops. They end when the host closes. */
  readonly beside: (workflows: Workflows) => readonly Promise<void>[];
};

/** `worker` changes when this process was declared dead and restarts; `process` stays the same. */
export type WorkerIdentity = { readonly process: string; worker: string };

export type Service = {
  serve(handlers: Handlers): Promise<void>;
  /** Both throw until `serve` has been called on this handle. */
  workflows(): Workflows;
  handlers(): Handlers;
  /**
   * Keeps the host from closing before this promise settles, so that a caller interrupted by the close still gets its
   * result.
   */
  during<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
};

type Serving = { readonly workflows: Workflows; readonly handlers: Handlers; beside: readonly Promise<void>[] };

/** How long a closing host waits for the work that it has stopped. */
const CLOSE_MS = 10_000;

/** The part of the host that performs work: DBOS, the heartbeat of this process, and the reaper. */
export function createService(parts: ServiceDeps): Service {
  const { heartbeat, identity } = parts;
  const waits = new Set<Promise<unknown>>();
  let serving: Serving | undefined;
  const getServing = (): Serving => {
    if (serving) return serving;
    throw new SignalboxError(
      "INTERNAL",
      "The host was used before serve() was called.",
      "Call serve() once, before driving any run.",
    );
  };
  return {
    async serve(handlers) {
      const bodies = {
        drive: createDriveBody({ ...parts, handlers }),
        effect: createEffectBody({ ...parts, process: identity.process, handlers }),
      };
      const workflows = await launchWorkflows({ ...parts, process: identity.process, bodies });
      serving = { workflows, handlers, beside: [] };
      await heartbeat.begin(identity.worker);
      await reclaimOthers(parts, workflows);
      serving.beside = [sendHeartbeats(parts, workflows), ...parts.beside(workflows)];
    },
    workflows: () => getServing().workflows,
    handlers: () => getServing().handlers,
    during: (work) => {
      const done = work.finally(() => waits.delete(done));
      waits.add(done);
      return done;
    },
    async close() {
      if (!serving) return;
      const { workflows, beside } = serving;
      const patience = new AbortController();
      const ended = Promise.all(beside).then(() => Promise.allSettled(waits));
      await Promise.race([ended, delay(CLOSE_MS, undefined, patience).catch(() => undefined)]);
      patience.abort();
      serving = undefined;
      await workflows.close();
      // If the server is unavailable, the lease expires by itself.
      await heartbeat.leave(identity.worker).catch(() => undefined);
    },
  };
}

async function sendHeartbeats(parts: ServiceDeps, workflows: Workflows): Promise<void> {
  const { closing, leaseMs, heartbeat, identity, complain } = parts;
  let lastError = "";
  while (!closing.aborted) {
    // After a failure, retry soon: when the server is back, live workers must report before others are judged dead.
    await delay(leaseMs / (lastError === "" ? 3 : 30), undefined, { signal: closing }).catch(() => undefined);
    if (closing.aborted) return;
    try {
      if (!(await heartbeat.beat(identity.worker))) await restartWorker(parts);
      await requireSchema(parts.database);
      await reclaimOthers(parts, workflows);
      lastError = "";
    } catch (error) {
      // Logs a repeated error only once.
      if (lastError !== String(error)) complain("heartbeat", error);
      lastError = String(error);
    }
  }
}

/** Other workers own this worker's tasks now, so its agents are stopped before it takes new ones. */
async function restartWorker({ stops, heartbeat, identity, notices, newId, log }: ServiceDeps): Promise<void> {
  log("this worker missed its lease and was declared dead: it stops its work and restarts under a new id");
  await stops.stopAll();
  identity.worker = newId();
  await heartbeat.begin(identity.worker);
  notices.notifier.ring(TASKS_TOPIC);
}

const reclaimOthers = (parts: ServiceDeps, { forget }: Workflows): Promise<void> =>
  reclaimFromDeadWorkers({ ...parts, forget }, parts.identity.worker);
