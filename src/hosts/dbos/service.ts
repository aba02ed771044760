import { SignalboxError } from "../../core/failure/errors.ts";
import type { Handlers } from "../../core/ports/host.ts";
import { driveBody } from "./drives.ts";
import { effectBody } from "./effects.ts";
import { createReaper } from "./reaper.ts";
import type { StopSignals } from "./stop-signal.ts";
import type { Database } from "./tables/database.ts";
import { launchWorkflows, type Workflows } from "./workflows.ts";

export type ServiceParts = {
  readonly database: Database;
  readonly stops: StopSignals;
  readonly executor: string;
  readonly queue: string;
  readonly leaseMs: number;
  readonly log: (line: string) => void;
  /** What else goes on for as long as the host serves; ends when it closes. */
  readonly beside: () => readonly Promise<void>[];
};

export type Service = {
  serve(handlers: Handlers): Promise<void>;
  /** Throws until this handle serves. */
  workflows(): Workflows;
  close(): Promise<void>;
};

/** The half of the host that works: DBOS, this process's heartbeat, and the reaper. */
export function createService(parts: ServiceParts): Service {
  const { database, stops } = parts;
  const reaper = createReaper(parts);
  // A launched DBOS takes work from its queue at once, and work needs the host that is still being put together.
  const ready = Promise.withResolvers<void>();
  let serving: { readonly workflows: Workflows; readonly beside: readonly Promise<void>[] } | undefined;
  return {
    async serve(handlers) {
      const bodies = {
        drive: whenReady(ready.promise, driveBody({ database, handlers, stops })),
        effect: whenReady(ready.promise, effectBody({ database, handlers, stops })),
      };
      await reaper.beat();
      const workflows = await launchWorkflows({ ...parts, bodies });
      serving = { workflows, beside: [] };
      await reaper.start(workflows);
      serving = { workflows, beside: parts.beside() };
      ready.resolve();
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
      const { workflows, beside } = serving;
      serving = undefined;
      await reaper.stop();
      await workflows.close();
      await reaper.leave();
      await Promise.all(beside);
    },
  };
}

const whenReady =
  <In, Out>(ready: Promise<void>, body: (id: string, input: In) => Promise<Out>) =>
  async (id: string, input: In): Promise<Out> => {
    await ready;
    return body(id, input);
  };
