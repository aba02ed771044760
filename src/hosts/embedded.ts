import { SignalboxError } from "../core/failure/errors.ts";
import type { Handlers, Host } from "../core/ports/host.ts";

/** Effects and runs in this very process. */
export function embedded(): Pick<Host, "serve" | "drive" | "effects"> {
  let served: Handlers | undefined;
  const handlers = (): Handlers => {
    if (served) return served;
    throw new SignalboxError(
      "INTERNAL",
      "The host was asked to work before it was given its handlers.",
      "Call serve() once, before anything is driven.",
    );
  };
  return {
    serve: async (given) => {
      served = given;
    },
    drive: async (run, signal = new AbortController().signal) => handlers().drive(run, signal),
    effects: {
      start: async (effect, signal) => handlers().perform(effect, signal),
      resume: async (effect, signal) => handlers().recover(effect, signal),
    },
  };
}
