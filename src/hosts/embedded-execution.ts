import { SignalboxError } from "../core/failure/errors.ts";
import type { Handlers, Host } from "../core/ports/host.ts";

/** Performs effects and drives runs in the calling process. */
export function createEmbeddedExecution(): Pick<Host, "serve" | "drive" | "effects"> {
  let served: Handlers | undefined;
  const getHandlers = (): Handlers => {
    if (served) return served;
    throw new SignalboxError(
      "INTERNAL",
      "The host was used before serve() was called.",
      "Call serve() once, before driving any run.",
    );
  };
  return {
    serve: async (given) => {
      served = given;
    },
    drive: async (run, signal = new AbortController().signal) => getHandlers().drive(run, signal),
    effects: {
      start: async (effect, signal) => getHandlers().perform(effect, signal),
      resume: async (effect, signal) => getHandlers().recover(effect, signal),
    },
  };
}
