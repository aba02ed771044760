import { SignalboxError } from "../../core/failure/errors.ts";
import type { DriveResult } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { awaitTask } from "./await-task.ts";
import { closedUnder } from "./drives.ts";
import { openStore, type StoreOptions, type TeamHost } from "./store.ts";
import { type Outcome, valueIn } from "./workflows/outcome.ts";
import { askWorkflows } from "./workflows/workflow-client.ts";

export type { TeamHost } from "./store.ts";

export type OpenTeamOptions = Pick<StoreOptions, "heeded"> & {
  readonly url: string;
  readonly world: World;
  readonly schema?: string;
};

const CONNECTIONS = 3;
const PATIENCE_MS = 5_000;
/** Claims are a worker's; this handle only shows how long theirs live. */
const LEASE_MS = 15_000;

/** A handle on the team's Postgres that reads, posts and submits, and leaves all work to the workers. */
export async function openTeam({ url, world, schema = "signalbox", heeded }: OpenTeamOptions): Promise<TeamHost> {
  const store = await openStore({
    url,
    schema,
    world,
    leaseMs: LEASE_MS,
    connections: CONNECTIONS,
    patienceMs: PATIENCE_MS,
    worker: () => "nobody",
    heeded,
  });
  const workflows = askWorkflows(store.database);
  return {
    ...store.half,
    name: "dbos",
    interruptions: 0,
    leaseMs: LEASE_MS,
    serve: () => Promise.reject(noWorker()),
    effects: { start: () => Promise.reject(noWorker()), resume: () => Promise.reject(noWorker()) },
    drive: async (run, signal) => {
      const id = await store.tasks.wantDrive(run);
      const left = signal ? AbortSignal.any([signal, store.closing]) : store.closing;
      const outcome = await awaitTask({ ...store, see: workflows.see }, id, left);
      if (!outcome) throw closedUnder(run);
      // Only drives have an id of this form, and this is what they leave.
      return valueIn(outcome as Outcome<DriveResult>);
    },
    close: () => store.close(workflows.close),
  };
}

const noWorker = () =>
  new SignalboxError(
    "INTERNAL",
    "This handle on the team's database was asked to work, which only workers do.",
    "Submit the run, and start `signalbox worker` where agents are.",
  );
