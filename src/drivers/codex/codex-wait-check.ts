import type { Failure } from "../../core/failure/failure.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import { reportedFailure } from "../reported-failure.ts";

/**
 * Gives up a turn after the fourth consecutive notice, which takes less than a minute. Without a connection Codex waits
 * for ever and reports it at growing intervals.
 */
export function createWaitCheck(agent: string): (event: AgentEvent) => Failure | undefined {
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
