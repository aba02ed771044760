import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";

/** Carries "stop" to the process that runs a workflow, wherever that is. */
export type StopSignals = {
  /** The workflow runs here from now on; its signal fires when somebody asks it to stop or the host closes. */
  begin(workflow: string): Promise<StoppableWork>;
  /** False where the claim in whose name it is asked is no longer the newest of its run: then nothing is stopped. */
  ask(workflow: string, claim?: Claim): Promise<boolean>;
  isHere(workflow: string): boolean;
  /** Ends all that runs here: others have it now. Resolves when it has ended. */
  stopAll(): Promise<void>;
  /** Obeys what other processes ask, until the host closes. */
  watch(): Promise<void>;
};

export type Claim = { readonly run: string; readonly fence: number | undefined };

export type StoppableWork = {
  readonly signal: AbortSignal;
  /** True when the host closes under it, or lost it, and nobody wanted this workflow to stop. */
  abandoned(): boolean;
  /** True when the host closes under it, and nobody wanted this workflow to stop. */
  closed(): boolean;
  end(): Promise<void>;
};

export type StopsParts = { readonly database: Database; readonly notices: Notices; readonly closing: AbortSignal };

const TOPIC = "stop";

type Running = { readonly controller: AbortController; readonly ended: PromiseWithResolvers<void>; lost: boolean };

export function postgresStops({ database, notices, closing }: StopsParts): StopSignals {
  const running = new Map<string, Running>();
  const obey = async (workflows: readonly string[]) => {
    if (workflows.length === 0) return;
    const asked = await database.query<{ workflow: string }>(
      "SELECT workflow FROM stops WHERE workflow = ANY($1::text[])",
      [workflows],
    );
    for (const { workflow } of asked) running.get(workflow)?.controller.abort();
  };
  return {
    async begin(workflow) {
      const here: Running = { controller: new AbortController(), ended: Promise.withResolvers(), lost: false };
      const { signal } = here.controller;
      running.set(workflow, here);
      // It may have been asked before it began here. If we cannot know, the notices and their repetition will tell.
      await obey([workflow]).catch(() => undefined);
      return {
        signal: AbortSignal.any([signal, closing]),
        abandoned: () => here.lost || (closing.aborted && !signal.aborted),
        closed: () => closing.aborted && !signal.aborted,
        async end() {
          if (running.get(workflow) === here) running.delete(workflow);
          here.ended.resolve();
          if (!signal.aborted) return;
          // A row that stays speaks of a workflow that is over; the outcome must not be lost for it.
          await database.query("DELETE FROM stops WHERE workflow = $1", [workflow]).catch(() => undefined);
        },
      };
    },
    ask: (workflow, claim) =>
      database.transaction(async (query) => {
        if (claim && !(await isNewest(query, claim))) return false;
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
        // A failed look is made good by the next one: what was asked stays in the table.
        await obey([...running.keys()]).catch(() => undefined);
        await notices.notifier.after(TOPIC, rung, closing);
      }
    },
  };
}

async function isNewest(query: Database["query"], { run, fence }: Claim): Promise<boolean> {
  if (fence === undefined) return true;
  return (await query("SELECT FROM runs WHERE id = $1 AND fence = $2", [run, fence])).length > 0;
}
