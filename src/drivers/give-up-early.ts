import type { Failure } from "../core/failure/failure.ts";
import type { AgentEvent } from "../core/ports/driver.ts";
import { runTurn, type Turn } from "./turn.ts";

/**
 * A turn that is given up as soon as its events show that waiting is in vain: agents try again by themselves, some for
 * ever, and keep saying so, which is neither an end nor a silence. `hopeless` belongs to one attempt.
 */
export async function* runTurnWithDeadline(
  turn: Turn,
  hopeless: (event: AgentEvent) => Failure | undefined,
): AsyncGenerator<AgentEvent> {
  const patience = new AbortController();
  let failure: Failure | undefined;
  for await (const event of runTurn({ ...turn, signal: AbortSignal.any([turn.signal, patience.signal]) })) {
    failure ??= hopeless(event);
    if (failure) patience.abort();
    yield failure && !turn.signal.aborted && event.type === "turn.failed" ? { ...event, failure } : event;
  }
}
