import { type Failure, isMissingPrerequisite } from "../../core/failure/failure.ts";
import type { AgentEvent, Driver } from "../../core/ports/driver.ts";

/**
 * Wraps a driver so that failures only a person can fix name the fix command. The engine does not distinguish agent
 * programs.
 */
export function addFixHints(driver: Driver, cure: (failure: Failure) => string): Driver {
  const addHint = (event: AgentEvent): AgentEvent =>
    event.type === "turn.failed" && isMissingPrerequisite(event.failure)
      ? { ...event, failure: appendFix(event.failure, cure(event.failure)) }
      : event;
  return {
    ...driver,
    async *dispatch(order, processes, signal) {
      for await (const event of driver.dispatch(order, processes, signal)) yield addHint(event);
    },
    async adopt(order, processes) {
      const event = await driver.adopt(order, processes);
      return event && addHint(event);
    },
  };
}

function appendFix(failure: Failure, cure: string): Failure {
  return { ...failure, message: `${failure.message.replace(/[.\s]*$/, "")}. To fix it: ${cure}` };
}
