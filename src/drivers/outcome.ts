import { findFailureLine } from "../core/checks/outcome/telling-lines.ts";
import { type Failure, SAID_CHARACTERS } from "../core/failure/failure.ts";
import type { ProcessExit, StopReason } from "../core/ports/processes.ts";

/**
 * What the end of an agent's process means, before anything it said is looked at:
 *
 * | end                                    | class         | code               |
 * |----------------------------------------|---------------|--------------------|
 * | stopped by us: the run was canceled    | canceled      | agent_canceled     |
 * | stopped by us: wall clock              | transient     | agent_timeout      |
 * | stopped by us: silence                 | transient     | agent_silent       |
 * | stopped by us: too much output         | transient     | agent_flooded      |
 * | could not be started at all            | transient     | agent_not_started  |
 * | no such program, or not executable     | deterministic | agent_missing      |
 * | died by a signal that was not ours     | transient     | agent_killed       |
 * | any other exit code than 0             | transient     | agent_crashed      |
 * | exit 0 without its success event       | transient     | agent_incomplete   |
 *
 * A crash is transient because the next try gets a fresh tree and a fresh process; a missing program stays missing.
 * Once we have stopped it, its exit code and its last words mean nothing: several agents then claim success.
 */
export function failureOfExit(agent: string, exit: ProcessExit): Failure | undefined {
  if (exit.stopped !== null) return stoppedFailure(agent, exit.stopped, exit);
  if (exit.signal !== null) {
    return failure("transient", "agent_killed", `${agent} was killed by ${exit.signal} after ${exit.ms} ms.`, exit);
  }
  if (exit.code === 126 || exit.code === 127) {
    return failure("deterministic", "agent_missing", `${agent} could not be run: ${lastLine(exit)}`, exit);
  }
  if (exit.code !== 0) {
    return failure("transient", "agent_crashed", `${agent} left with exit code ${exit.code}: ${lastLine(exit)}`, exit);
  }
  return undefined;
}

export function incomplete(agent: string, exit: ProcessExit): Failure {
  return failure(
    "transient",
    "agent_incomplete",
    `${agent} left with exit code 0 but never said that it is done.`,
    exit,
  );
}

export function notStarted(agent: string, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return { class: "transient", code: "agent_not_started", message: `${agent} was not started: ${why}` };
}

export function canceledBeforeStart(agent: string): Failure {
  return { class: "canceled", code: "agent_canceled", message: `${agent} was canceled before it started.` };
}

const STOPPED = {
  canceled: ["canceled", "agent_canceled", "was canceled"],
  timeout: ["transient", "agent_timeout", "was stopped because its time was over"],
  silent: ["transient", "agent_silent", "was stopped because it gave no sign of life for too long"],
  flood: ["transient", "agent_flooded", "was stopped because it printed too much"],
} as const satisfies Record<StopReason, readonly [Failure["class"], string, string]>;

function stoppedFailure(agent: string, reason: StopReason, exit: ProcessExit): Failure {
  const [kind, code, what] = STOPPED[reason];
  return failure(kind, code, `${agent} ${what} after ${exit.ms} ms and ${exit.stdoutBytes} bytes.`, exit);
}

function failure(kind: Failure["class"], code: string, message: string, exit: ProcessExit): Failure {
  const last = (exit.stderrTail.trim() || exit.stdoutTail.trim()).slice(-SAID_CHARACTERS);
  return { class: kind, code, message, ...(last === "" ? {} : { last }) };
}

/** The line that names the failure: Node, for one, ends every uncaught error with its own version. */
function lastLine(exit: ProcessExit): string {
  const said = exit.stderrTail.trim() || exit.stdoutTail.trim();
  const lines = said.split("\n");
  return (findFailureLine(lines) ?? lines.at(-1))?.trim().slice(0, SAID_CHARACTERS) || "it said nothing.";
}
