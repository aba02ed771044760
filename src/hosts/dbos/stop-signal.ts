import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";

/** Carries a stop request to the process that runs a workflow. */
export type StopSignals = {
  /** Registers a workflow as running here. Its signal fires on a stop request or when the host closes. */
  begin(workflow: string): Promise<StoppableWork>;
  /** Requests a stop. Returns false, and stops nothing, if the claim is no longer the newest of its run. */
  ask(workflow: string, claim?: RunClaim): Promise<boolean>;
  isHere(workflow: string): boolean;
  /** Stops all work of this process because other workers own it now. Resolves when it has ended. */
  stopAll(): Promise<void>;
  /** Handles stop requests of other processes until the host closes. */
  watch(): Promise<void>;
};

export type RunClaim = { readonly run: string; readonly fence: number | undefined };

export type StoppableWork = {
  readonly signal: AbortSignal;
  /** True if the host closed or lost this work and no stop was requested for the workflow. */
  abandoned(): boolean;
  /** True if the host closed and no stop was requested for the workflow. */
  closed(): boolean;
  end(): Promise<void>;
};

export type StopSignalsDeps = { readonly database: Database; readonly notices: Notices; readonly closing: AbortSignal };

const TOPIC = "stop";

type RunningWork = { readonly controller: AbortController; readonly ended: PromiseWithResolvers<void>; lost: boolean };

export function createStopSignals({ database, notices, closing }: StopSignalsDeps): StopSignals {
  const running = new Map<string, RunningWork>();
  const abortStopped = async (workflows: readonly string[]) => {
    if (workflows.length === 0) return;
    const asked = await database.query<{ workflow: string }>(
      "SELECT workflow FROM stops WHERE workflow = ANY($1::text[])",
      [workflows],
    );
    for (const { workflow } of asked) running.get(workflow)?.controller.abort();
  };
  return {
    async begin(workflow) {
      const here: RunningWork = { controller: new AbortController(), ended: Promise.withResolvers(), lost: false };
      const { signal } = here.controller;
      running.set(workflow, here);
      // The stop may have been requested before the workflow started here. If this check fails, the notices and their
      // repetition deliver it.
      await abortStopped([workflow]).catch(() => undefined);
      return {
        signal: AbortSignal.any([signal, closing]),
        abandoned: () => here.lost || (closing.aborted && !signal.aborted),
        closed: () => closing.aborted && !signal.aborted,
        async end() {
          if (running.get(workflow) === here) running.delete(workflow);
          here.ended.resolve();
          if (!signal.aborted) return;
          // A leftover row refers to a finished workflow and is harmless; a failed delete must not lose the outcome.
          await database.query("DELETE FROM stops WHERE workflow = $1", [workflow]).catch(() => undefined);
        },
      };
    },
    ask: (workflow, claim) =>
      database.transaction(async (query) => {
        if (claim && !(await isNewestClaim(query, claim))) return false;
        const here = running.get(workflow);
        if (here) {
          here.controller.abort();
          return true;
        }
        await query("INSERT INTO stops (workflow) VALUES ($1) ON CONFLICT (workflow) DO NOTHING", [workflow]);
        await notices.post(query, TOPIC);
        return true;
      }),
    isHere: (workflow) => running.has(workflow),
    async stopAll() {
      const all = [...running.values()];
      for (const one of all) {
        one.lost = !one.controller.signal.aborted;
        one.controller.abort();
      }
      await Promise.all(all.map(({ ended }) => ended.promise));
    },
    async watch() {
      while (!closing.aborted) {
        await notices.listening();
        const rung = notices.notifier.count(TOPIC);
        // A failed check is repeated by the next one: requests stay in the table.
        await abortStopped([...running.keys()]).catch(() => undefined);
        await notices.notifier.after(TOPIC, rung, closing);
      }
    },
  };
}

async function isNewestClaim(query: Database["query"], { run, fence }: RunClaim): Promise<boolean> {
  if (fence === undefined) return true;
  return (await query("SELECT FROM runs WHERE id = $1 AND fence = $2", [run, fence])).length > 0;
}
