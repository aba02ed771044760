import type { Database } from "./database.ts";
import type { Notices } from "./notices.ts";

/** Carries "stop" to the process that runs a workflow, wherever that is. */
export type Stops = {
  /** The workflow runs here from now on; its signal fires when somebody asks it to stop or the host closes. */
  begin(workflow: string): { readonly signal: AbortSignal; end(): Promise<void> };
  ask(workflow: string): Promise<void>;
  /** Stops what was asked to stop by other processes; also before it began here. */
  obey(): Promise<void>;
  /** Obeys as soon as something is asked, until the host closes. */
  watch(): Promise<void>;
};

export type StopsParts = { readonly database: Database; readonly notices: Notices; readonly closing: AbortSignal };

const TOPIC = "stop";

export function postgresStops({ database, notices, closing }: StopsParts): Stops {
  const running = new Map<string, AbortController>();
  const obey = async () => {
    if (running.size === 0) return;
    const asked = await database.query<{ workflow: string }>(
      "SELECT workflow FROM stops WHERE workflow = ANY($1::text[])",
      [[...running.keys()]],
    );
    for (const { workflow } of asked) running.get(workflow)?.abort();
  };
  return {
    begin(workflow) {
      const controller = new AbortController();
      running.set(workflow, controller);
      return {
        signal: AbortSignal.any([controller.signal, closing]),
        async end() {
          running.delete(workflow);
          if (controller.signal.aborted) await database.query("DELETE FROM stops WHERE workflow = $1", [workflow]);
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
    obey,
    async watch() {
      while (!closing.aborted) {
        await notices.listening();
        const rung = notices.bells.count(TOPIC);
        // A failed look is made good by the next one: what was asked stays in the table.
        await obey().catch(() => undefined);
        await notices.bells.after(TOPIC, rung, closing);
      }
    },
  };
}
