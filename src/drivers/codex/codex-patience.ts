import type { AgentEvent } from "../../core/ports/driver.ts";
import { saidFailure } from "../said-failure.ts";
import { playTurn, type Turn } from "../turn.ts";

/**
 * Without a connection Codex waits for ever and says so at growing intervals, so that neither an end nor a silence
 * comes. After the fourth notice in a row, within a minute, the turn is given up.
 */
export async function* playTurnWithoutEndlessWait(turn: Turn): AsyncGenerator<AgentEvent> {
  const patience = new AbortController();
  let notices: readonly string[] = [];
  for await (const event of playTurn({ ...turn, signal: AbortSignal.any([turn.signal, patience.signal]) })) {
    notices = isNotice(event) ? [...notices, event.message] : event.type === "turn.failed" ? notices : [];
    if (notices.length === MOST_NOTICES) patience.abort();
    const gaveUp = patience.signal.aborted && !turn.signal.aborted && event.type === "turn.failed";
    yield gaveUp
      ? { ...event, failure: saidFailure(turn.agent, { message: notices.at(-1) ?? "" }, Date.now()) }
      : event;
  }
}

const MOST_NOTICES = 4;

function isNotice(event: AgentEvent): event is Extract<AgentEvent, { type: "turn.throttled" }> {
  return event.type === "turn.throttled" && event.message.includes("waiting for network");
}
