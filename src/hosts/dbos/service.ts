import { setTimeout as delay } from "node:timers/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Handlers } from "../../core/ports/host.ts";
import type { Complain } from "./complain.ts";
import { driveBody } from "./drives.ts";
import { effectBody } from "./effects.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { reap } from "./reaper.ts";
import type { StopSignals } from "./stop-signal.ts";
import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { requireSchema } from "./tables/schema.ts";
import { TASKS_TOPIC } from "./tables/tasks.ts";
import { launchWorkflows, type Workflows } from "./workflows/workflows.ts";

export type ServiceParts = {
  readonly database: Database;
  readonly notices: Notices;
  readonly closing: AbortSignal;
  readonly stops: StopSignals;
  readonly heartbeat: Heartbeat;
  readonly identity: Identity;
  /** What the others call this process, however often it begins anew. */
  readonly name: string;
  readonly leaseMs: number;
  readonly newId: () => string;
  readonly log: (line: string) => void;
  readonly complain: Complain;
  /** What else goes on for as long as the host serves; ends when it closes. */
  readonly beside: (workflows: Workflows) => readonly Promise<void>[];
};

/** `worker` changes when this process was declared dead and begins anew; `process` never does. */
export type Identity = { readonly process: string; worker: string };

export type Service = {
  serve(handlers: Handlers): Promise<void>;
  /** Both throw until this handle serves. */
  workflows(): Workflows;
  handlers(): Handlers;
  /** The host is not closed under it: whoever waits for what is ended by closing gets to hear of it. */
  during<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
};

type Serving = { readonly workflows: Workflows; readonly handlers: Handlers; beside: readonly Promise<void>[] };

/** How long a closing host waits for what it has told to stop. */
const CLOSE_MS = 10_000;

/** The half of the host that works: DBOS, this process's heartbeat, and the reaper. */
export function createService(parts: ServiceParts): Service {
  const { heartbeat, identity } = parts;
  const waits = new Set<Promise<unknown>>();
  let serving: Serving | undefined;
  const served = (): Serving => {
    if (serving) return serving;
    throw new SignalboxError(
      "INTERNAL",
      "The host was asked to work before it was given its handlers.",
      "Call serve() once, before anything is driven.",
    );
  };
  return {
    async serve(handlers) {
      const bodies = {
        drive: driveBody({ ...parts, handlers }),
        effect: effectBody({ ...parts, process: identity.process, handlers }),
      };
      const workflows = await launchWorkflows({ ...parts, process: identity.process, bodies });
      serving = { workflows, handlers, beside: [] };
      await heartbeat.begin(identity.worker);
      await reapOthers(parts, workflows);
      serving.beside = [beat(parts, workflows), ...parts.beside(workflows)];
    },
    workflows: () => served().workflows,
    handlers: () => served().handlers,
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
      // Where the server is away the lease runs out by itself.
      await heartbeat.leave(identity.worker).catch(() => undefined);
    },
  };
}

async function beat(parts: ServiceParts, workflows: Workflows): Promise<void> {
  const { closing, leaseMs, heartbeat, identity, complain } = parts;
  let said = "";
  while (!closing.aborted) {
    // A server that is away comes back at any moment, and whoever lives must be heard then before others are judged.
    await delay(leaseMs / (said === "" ? 3 : 30), undefined, { signal: closing }).catch(() => undefined);
    if (closing.aborted) return;
    try {
      if (!(await heartbeat.beat(identity.worker))) await beginAnew(parts);
      await requireSchema(parts.database);
      await reapOthers(parts, workflows);
      said = "";
    } catch (error) {
      // The same at every beat is told once.
      if (said !== String(error)) complain("at the heartbeat", error);
      said = String(error);
    }
  }
}

/** Others have what this worker had: its agents are stopped before it takes anything again. */
async function beginAnew({ stops, heartbeat, identity, notices, newId, log }: ServiceParts): Promise<void> {
  log("this worker was silent for longer than its lease and was declared dead: it stops what it had and begins anew");
  await stops.stopAll();
  identity.worker = newId();
  await heartbeat.begin(identity.worker);
  notices.notifier.ring(TASKS_TOPIC);
}

const reapOthers = (parts: ServiceParts, { forget }: Workflows): Promise<void> =>
  reap({ ...parts, forget }, parts.identity.worker);
