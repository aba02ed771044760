import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";

/** Carries "stop" to the process that runs a workflow, wherever that is. */
export type StopSignals = {
  /** The workflow runs here from now on; its signal fires when somebody asks it to stop or the host closes. */
  begin(workflow: string): Promise<StoppableWork>;
  ask(workflow: string): Promise<void>;
  /** Obeys what other processes ask, until the host closes. */
  watch(): Promise<void>;
};

export type StoppableWork = {
  readonly signal: AbortSignal;
  /** True when the host closes under it and nobody wanted this workflow to stop. */
  abandoned(): boolean;
  end(): Promise<void>;
};

export type StopsParts = { readonly database: Database; readonly notices: Notices; readonly closing: AbortSignal };

const TOPIC = "stop";

export function postgresStops({ database, notices, closing }: StopsParts): StopSignals {
  const running = new Map<string, AbortController>();
  const obey = async (workflows: readonly string[]) => {
    if (workflows.length === 0) return;
    const asked = await database.query<{ workflow: string }>(
      "SELECT workflow FROM stops WHERE workflow = ANY($1::text[])",
      [workflows],
    );
    for (const { workflow } of asked) running.get(workflow)?.abort();
  };
  return {
    async begin(workflow) {
      const controller = new AbortController();
      running.set(workflow, controller);
      // It may have been asked before it began here. If we cannot know, the notices and their repetition will tell.
      await obey([workflow]).catch(() => undefined);
      return {
        signal: AbortSignal.any([controller.signal, closing]),
        abandoned: () => closing.aborted && !controller.signal.aborted,
        async end() {
          running.delete(workflow);
          if (!controller.signal.aborted) return;
          // A row that stays speaks of a workflow that is over; the outcome must not be lost for it.
          await database.query("DELETE FROM stops WHERE workflow = $1", [workflow]).catch(() => undefined);
        },
      };
    },
    async ask(workflow) {
      const here = running.get(workflow);
      if (here) return here.abort();
      await database.transaction(async (query) => {
        await query("INSERT INTO stops (workflow) VALUES ($1) ON CONFLICT (workflow) DO NOTHING", [workflow]);
        await notices.post(query, TOPIC);
      });
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
