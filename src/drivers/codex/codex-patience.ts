import type { Failure } from "../../core/failure/failure.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import { reportedFailure } from "../said-failure.ts";

/**
 * Without a connection Codex waits for ever and says so at growing intervals. After the fourth notice in a row, within
 * a minute, the turn is given up.
 */
export function endlessWait(agent: string): (event: AgentEvent) => Failure | undefined {
  let notices = 0;
  return (event) => {
    if (event.type !== "turn.throttled" || !event.message.includes("waiting for network")) {
      notices = 0;
      return undefined;
    }
    notices += 1;
    return notices < MOST_NOTICES ? undefined : reportedFailure(agent, { message: event.message }, Date.now());
  };
}

const MOST_NOTICES = 4;
