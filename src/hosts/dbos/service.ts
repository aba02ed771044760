import { SignalboxError } from "../../core/errors.ts";
import type { Handlers } from "../../core/ports/host.ts";
import type { Database } from "./database.ts";
import { driveBody } from "./drives.ts";
import { effectBody } from "./effects.ts";
import { type Reaper, startReaper } from "./reaper.ts";
import type { Stops } from "./stops.ts";
import { launchWorkflows, type Workflows } from "./workflows.ts";

export type ServiceParts = {
  readonly database: Database;
  readonly stops: Stops;
  readonly executor: string;
  readonly queue: string;
  readonly leaseMs: number;
  readonly log: (line: string) => void;
};

export type Service = {
  serve(handlers: Handlers): Promise<void>;
  /** Throws until this handle serves. */
  workflows(): Workflows;
  close(): Promise<void>;
};

/** The half of the host that works: DBOS, this process's heartbeat, and the reaper. */
export function createService(parts: ServiceParts): Service {
  let serving: { workflows: Workflows; reaper: Reaper; watching: Promise<void> } | undefined;
  return {
    async serve(handlers) {
      const { database, stops } = parts;
      const bodies = { drive: driveBody(handlers, stops), effect: effectBody({ database, handlers, stops }) };
      const workflows = await launchWorkflows({ ...parts, bodies });
      const reaper = await startReaper({ ...parts, workflows });
      serving = { workflows, reaper, watching: stops.watch() };
    },
    workflows() {
      if (serving) return serving.workflows;
      throw new SignalboxError(
        "INTERNAL",
        "The host was asked to work before it was given its handlers.",
        "Call serve() once, before anything is driven.",
      );
    },
    async close() {
      if (!serving) return;
      const { workflows, reaper, watching } = serving;
      serving = undefined;
      await reaper.stop();
      await workflows.close();
      await reaper.leave();
      await watching;
    },
  };
}
