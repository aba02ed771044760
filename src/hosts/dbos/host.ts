import { hostname } from "node:os";
import type { World } from "../../core/ports/world.ts";
import { createDrive } from "./drives.ts";
import { createEffects } from "./effects.ts";
import { createFailureLogger } from "./failure-logger.ts";
import { createHeartbeat, type WorkerOffer } from "./heartbeat.ts";
import { formatWorkerLabel } from "./labels.ts";
import { createService, type WorkerIdentity } from "./service.ts";
import { createStopSignals } from "./stop-signal.ts";
import { openTeamStore, type TeamHost } from "./store.ts";
import { createOutage } from "./tables/outage.ts";
import { requireWorker } from "./tables/roles.ts";
import type { AttemptLimits } from "./tables/tasks.ts";
import { takeTasks } from "./task-taker.ts";
import { wakeParked } from "./waker.ts";
import { formatWorkerName } from "./worker-name.ts";

export type DbosHostOptions = {
  /** `postgres://user:password@host:port/database`. Signalbox and DBOS each use one schema of it. */
  readonly url: string;
  readonly world: World;
  /** Serves runs of this repository only. */
  readonly repo?: string;
  /** Labels that this worker provides to runs and attempts. */
  readonly offers?: readonly string[];
  /** Limit of concurrent attempts, and separately of concurrent runs, on this worker. Unlimited by default. */
  readonly concurrency?: number;
  /** Limits for the whole team; each worker enforces the ones it was started with. */
  readonly caps?: AttemptLimits;
  /** `machine` and `process` form the display name of this worker. */
  readonly machine?: string;
  readonly process?: string;
  readonly version?: string;
  /** Time without a heartbeat after which the worker's claims lapse and others take over its work. */
  readonly leaseMs?: number;
  /** Drives parked runs that received a signal and runs that a closing worker left; for long-running processes. */
  readonly wakes?: boolean;
  readonly schema?: string;
  /** Receives the problems that DBOS and the reaper report. */
  readonly log?: (line: string) => void;
};

const LEASE_MS = 15_000;
const INTERRUPTIONS = 3;
/** Maximum pool size. Each worker also uses one connection for notifications and those of DBOS. */
const CONNECTIONS = 5;
/** A restarting server is back well within this time. */
const PATIENCE_MS = 60_000;
/** Short, so that a worker with a wrong address fails soon after its start. */
const AWAIT_MS = 5_000;

/**
 * Host for many processes on one Postgres: Signalbox stores the runs, DBOS runs the workflows and records their
 * outcomes.
 */
export async function createDbosHost(options: DbosHostOptions): Promise<TeamHost> {
  const { url, world, leaseMs = LEASE_MS, schema = "signalbox" } = options;
  const log = options.log ?? (() => undefined);
  const complain = createFailureLogger(log);
  const process = options.process ?? world.newId();
  const identity: WorkerIdentity = { process, worker: process };
  const worker = () => identity.worker;
  const store = await openTeamStore({
    url,
    schema,
    world,
    leaseMs,
    worker,
    connections: CONNECTIONS,
    patienceMs: PATIENCE_MS,
    awaitMs: AWAIT_MS,
    outage: createOutage({ log, now: () => performance.now() }),
  });
  await requireWorker(store.database).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const offer = createOffer(options, process);
  const stops = createStopSignals(store);
  const taking = { ...store, ...offer, caps: options.caps ?? {}, worker, complain };
  const service = createService({
    ...store,
    stops,
    identity,
    name: formatWorkerName({ machine: offer.machine, process }),
    leaseMs,
    log,
    complain,
    newId: () => world.newId(),
    heartbeat: createHeartbeat({ ...store, ...identity, offer, leaseMs }),
    beside: ({ carryOut }) => [
      stops.watch(),
      takeTasks({ ...taking, carryOut, isHere: stops.isHere }),
      ...(options.wakes ? [wakeParked({ ...taking })] : []),
    ],
  });
  const working = {
    ...store,
    stops,
    see: (id: string) => service.workflows().see(id),
    handlers: service.handlers,
  };
  const drive = createDrive(working);
  const effects = createEffects(working);
  return {
    ...store.half,
    name: "dbos",
    interruptions: INTERRUPTIONS,
    leaseMs,
    serve: service.serve,
    drive,
    effects: {
      start: (effect, signal) => service.during(effects.start(effect, signal)),
      resume: (effect, signal) => service.during(effects.resume(effect, signal)),
    },
    close: () => store.close(service.close),
  };
}

function createOffer({ repo, offers, concurrency, machine, version }: DbosHostOptions, process: string): WorkerOffer {
  return {
    machine: machine ?? hostname(),
    repo: repo ?? null,
    labels: [...(offers ?? []), formatWorkerLabel(process)],
    concurrency: concurrency ?? null,
    version: version ?? "",
  };
}
