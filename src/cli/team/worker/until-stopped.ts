import type { Host } from "../../../core/ports/host.ts";
import type { WorkerVoice } from "./voice.ts";

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Serves until a signal comes. Then agents are put down in order and runs are left to others; at a second signal the
 * process leaves at once, and others find out by its silence.
 */
export async function untilStopped(
  { host, voice }: { readonly host: Pick<Host, "close">; readonly voice: WorkerVoice },
  serve: () => Promise<void>,
): Promise<number> {
  const stop = Promise.withResolvers<void>();
  let told = false;
  const on = (signal: keyof typeof CODES) => (): void => {
    if (told) process.exit(CODES[signal]);
    told = true;
    const text = "stops: agents are put down, runs are left to other workers; once more leaves at once";
    voice.say("worker.stopping", text, { signal });
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
    voice.say("worker.stopped", "stopped");
    process.off("SIGINT", handlers.SIGINT);
    process.off("SIGTERM", handlers.SIGTERM);
  }
}
