import type { Host } from "../../../core/ports/host.ts";
import type { WorkerLog } from "./worker-log.ts";

type StopInputs = { readonly host: Pick<Host, "close">; readonly log: WorkerLog };

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Serves until a signal comes. The first signal terminates agents in order and leaves runs to other workers; the second
 * one exits at once, and other workers notice the silence.
 */
export async function serveUntilStopped({ host, log }: StopInputs, serve: () => Promise<void>): Promise<number> {
  const stop = Promise.withResolvers<void>();
  let told = false;
  const on = (signal: keyof typeof CODES) => (): void => {
    if (told) process.exit(CODES[signal]);
    told = true;
    const text = "stopping: terminating agents and leaving runs to other workers; signal again to exit immediately";
    log.say("worker.stopping", text, { signal });
    stop.resolve();
  };
  const handlers = { SIGINT: on("SIGINT"), SIGTERM: on("SIGTERM") };
  process.on("SIGINT", handlers.SIGINT);
  process.on("SIGTERM", handlers.SIGTERM);
  try {
    await serve();
    await stop.promise;
    return 0;
  } finally {
    await host.close();
    log.say("worker.stopped", "stopped");
    process.off("SIGINT", handlers.SIGINT);
    process.off("SIGTERM", handlers.SIGTERM);
  }
}
