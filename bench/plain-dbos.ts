import { DBOS } from "@dbos-inc/dbos-sdk";
import { PAYLOAD } from "./steps.ts";

export type PlainDbos = {
  /**
   * Effects per second, each as a separate workflow, which can be recovered, canceled and inspected separately like
   * ours.
   */
  workflows(count: number): Promise<number>;
  /** Effects per second as steps of one workflow: the least that DBOS does for an effect. */
  steps(count: number): Promise<number>;
  stop(): Promise<void>;
};

/** Runs DBOS as its own documentation shows, without any of our code around it. */
export async function plainDbos(url: string): Promise<PlainDbos> {
  const effect = DBOS.registerWorkflow(async () => PAYLOAD, { name: "effect" });
  const chain = DBOS.registerWorkflow(
    async (count: number) => {
      for (let n = 0; n < count; n += 1) await DBOS.runStep(async () => PAYLOAD, { name: "effect" });
    },
    { name: "chain" },
  );
  const silent = { info: () => undefined, debug: () => undefined, warn: console.warn, error: console.error };
  // The timeout is set by a query that overtakes the first one of its connection, and pg warns about that.
  DBOS.setConfig({ name: "plain", systemDatabaseUrl: url, systemDatabaseIdleTransactionTimeoutMs: 0, logger: silent });
  await DBOS.launch();
  return {
    workflows: (count) =>
      measureRate(count, async () => {
        for (let n = 0; n < count; n += 1) await effect();
      }),
    steps: (count) => measureRate(count, () => chain(count)),
    stop: () => DBOS.shutdown({ deregister: true }),
  };
}

async function measureRate(count: number, work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - from);
}
