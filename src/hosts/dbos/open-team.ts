import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriveResult } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { awaitTask } from "./await-task.ts";
import { createHostClosedError } from "./drives.ts";
import { openTeamStore, type TeamHost, type TeamStoreOptions } from "./store.ts";
import { unwrapOutcome, type WorkflowOutcome } from "./workflows/outcome.ts";
import { openWorkflowClient } from "./workflows/workflow-client.ts";

export type { TeamHost } from "./store.ts";

export type OpenTeamOptions = Pick<TeamStoreOptions, "heeded"> & {
  readonly url: string;
  readonly world: World;
  readonly schema?: string;
};

const CONNECTIONS = 3;
const PATIENCE_MS = 5_000;
/** This handle makes no claims; the value is only displayed. */
const LEASE_MS = 15_000;

/** Opens a handle on the team's Postgres that reads, posts signals and submits runs. Workers do the work. */
export async function openTeam({ url, world, schema = "signalbox", heeded }: OpenTeamOptions): Promise<TeamHost> {
  const store = await openTeamStore({
    url,
    schema,
    world,
    leaseMs: LEASE_MS,
    connections: CONNECTIONS,
    patienceMs: PATIENCE_MS,
    worker: () => "nobody",
    heeded,
  });
  const workflows = openWorkflowClient(store.database);
  return {
    ...store.half,
    name: "dbos",
    interruptions: 0,
    leaseMs: LEASE_MS,
    serve: () => Promise.reject(createNotWorkerError()),
    effects: {
      start: () => Promise.reject(createNotWorkerError()),
      resume: () => Promise.reject(createNotWorkerError()),
    },
    drive: async (run, signal) => {
      const id = await store.tasks.wantDrive(run);
      const left = signal ? AbortSignal.any([signal, store.closing]) : store.closing;
      const outcome = await awaitTask({ ...store, see: workflows.see }, id, left);
      if (!outcome) throw createHostClosedError(run);
      // The id belongs to a drive, and a drive always returns a `DriveResult`.
      return unwrapOutcome(outcome as WorkflowOutcome<DriveResult>);
    },
    close: () => store.close(workflows.close),
  };
}

const createNotWorkerError = () =>
  new SignalboxError(
    "INTERNAL",
    "This handle on the team's database cannot perform work; only workers can.",
    "Submit the run, and start `signalbox worker` on a machine with agents.",
  );
