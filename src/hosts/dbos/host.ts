import { hostname } from "node:os";
import type { World } from "../../core/ports/world.ts";
import { complainer } from "./complain.ts";
import { dbosDrive } from "./drives.ts";
import { dbosEffects } from "./effects.ts";
import { type Offer, postgresHeartbeat } from "./heartbeat.ts";
import { workerLabel } from "./labels.ts";
import { createService, type Identity } from "./service.ts";
import { postgresStops } from "./stop-signal.ts";
import { openStore, type TeamHost } from "./store.ts";
import { createOutage } from "./tables/outage.ts";
import { requireWorker } from "./tables/roles.ts";
import type { Caps } from "./tables/tasks.ts";
import { takeTasks } from "./taker.ts";
import { wakeParked } from "./waker.ts";
import { workerName } from "./worker-name.ts";

export type DbosHostOptions = {
  /** `postgres://user:password@host:port/database`. Ours and DBOS's tables live in two schemas of it. */
  readonly url: string;
  readonly world: World;
  /** Serves the runs of this repository alone. */
  readonly repo?: string;
  /** Labels: what a run or an attempt may need and finds here. */
  readonly offers?: readonly string[];
  /** So many attempts at once here, and so many runs; no limit where nothing is said. */
  readonly concurrency?: number;
  /** Of the whole team; each worker counts by its own. */
  readonly caps?: Caps;
  /** How the others see this worker: both make its name. */
  readonly machine?: string;
  readonly process?: string;
  readonly version?: string;
  /** How long a worker may be silent before its claims lapse and others take over what it had under way. */
  readonly leaseMs?: number;
  /** Drives runs that were written to while parked or left by a closing worker; for processes that stay. */
  readonly wakes?: boolean;
  readonly schema?: string;
  /** Hears what DBOS and the reaper complain about. */
  readonly log?: (line: string) => void;
};

const LEASE_MS = 15_000;
const INTERRUPTIONS = 3;
/** A worker holds this many connections at most, one more that listens, and those of DBOS. */
const CONNECTIONS = 5;
/** A server that is restarted is back long before. */
const PATIENCE_MS = 60_000;
/** At its start a worker that is refused says so soon: the address may be wrong. */
const AWAIT_MS = 5_000;

/** Many processes, one Postgres: the store is ours, DBOS runs the workflows and remembers their outcomes. */
export async function dbosHost(options: DbosHostOptions): Promise<TeamHost> {
  const { url, world, leaseMs = LEASE_MS, schema = "signalbox" } = options;
  const log = options.log ?? (() => undefined);
  const complain = complainer(log);
  const process = options.process ?? world.newId();
  const identity: Identity = { process, worker: process };
  const worker = () => identity.worker;
  const store = await openStore({
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
  const offer = offerOf(options, process);
  const stops = postgresStops(store);
  const taking = { ...store, ...offer, caps: options.caps ?? {}, worker, complain };
  const service = createService({
    ...store,
    stops,
    identity,
    name: workerName({ machine: offer.machine, process }),
    leaseMs,
    log,
    complain,
    newId: () => world.newId(),
    heartbeat: postgresHeartbeat({ ...store, ...identity, offer, leaseMs }),
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
  const drive = dbosDrive(working);
  const effects = dbosEffects(working);
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

function offerOf({ repo, offers, concurrency, machine, version }: DbosHostOptions, process: string): Offer {
  return {
    machine: machine ?? hostname(),
    repo: repo ?? null,
    labels: [...(offers ?? []), workerLabel(process)],
    concurrency: concurrency ?? null,
    version: version ?? "",
  };
}
