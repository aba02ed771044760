import type { Failure } from "../core/failure/failure.ts";
import type { AgentEvent } from "../core/ports/driver.ts";
import { runTurn, type Turn } from "./turn.ts";

/**
 * Stops a turn as soon as its events show that waiting is useless: agents retry by themselves, some for ever, and keep
 * printing, so neither their end nor silence stops them. `hopeless` belongs to one attempt.
 */
export async function* runTurnWithDeadline(
  turn: Turn,
  findHopeless: (event: AgentEvent) => Failure | undefined,
): AsyncGenerator<AgentEvent> {
  const patience = new AbortController();
  let failure: Failure | undefined;
  for await (const event of runTurn({ ...turn, signal: AbortSignal.any([turn.signal, patience.signal]) })) {
    failure ??= findHopeless(event);
    if (failure) patience.abort();
    yield failure && !turn.signal.aborted && event.type === "turn.failed" ? { ...event, failure } : event;
  }
}
