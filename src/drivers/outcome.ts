import { findFailureLine } from "../core/checks/outcome/failure-lines.ts";
import { type Failure, SAID_CHARACTERS } from "../core/failure/failure.ts";
import type { ProcessExit, StopReason } from "../core/ports/processes.ts";

/**
 * Classifies the end of an agent's process, before its output is examined:
 *
 * | end                                    | class         | code               |
 * |----------------------------------------|---------------|--------------------|
 * | stopped by us: the run was canceled    | canceled      | agent_canceled     |
 * | stopped by us: wall clock              | transient     | agent_timeout      |
 * | stopped by us: silence                 | transient     | agent_silent       |
 * | stopped by us: too much output         | transient     | agent_flooded      |
 * | could not be started at all            | transient     | agent_not_started  |
 * | no such program, or not executable     | deterministic | agent_missing      |
 * | killed by a signal that was not ours   | transient     | agent_killed       |
 * | any other exit code than 0             | transient     | agent_crashed      |
 * | exit 0 without its success event       | transient     | agent_incomplete   |
 *
 * A crash is transient because the next try gets a fresh tree and process; a missing program stays missing. After a
 * stop by us the exit code and the last output are ignored, because several agents then claim success.
 */
export function failureOfExit(agent: string, exit: ProcessExit): Failure | undefined {
  if (exit.stopped !== null) return createStoppedFailure(agent, exit.stopped, exit);
  if (exit.signal !== null) {
    return createFailure(
      "transient",
      "agent_killed",
      `${agent} was killed by ${exit.signal} after ${exit.ms} ms.`,
      exit,
    );
  }
  if (exit.code === 126 || exit.code === 127) {
    return createFailure("deterministic", "agent_missing", `Could not run ${agent}: ${findLastLine(exit)}`, exit);
  }
  if (exit.code !== 0) {
    return createFailure(
      "transient",
      "agent_crashed",
      `${agent} failed with exit code ${exit.code}: ${findLastLine(exit)}`,
      exit,
    );
  }
  return undefined;
}

export function incomplete(agent: string, exit: ProcessExit): Failure {
  return createFailure(
    "transient",
    "agent_incomplete",
    `${agent} exited with code 0 but did not report the end of its turn.`,
    exit,
  );
}

export function notStarted(agent: string, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return { class: "transient", code: "agent_not_started", message: `Could not start ${agent}: ${why}` };
}

export function canceledBeforeStart(agent: string): Failure {
  return { class: "canceled", code: "agent_canceled", message: `${agent} was canceled before it started.` };
}

const STOPPED = {
  canceled: ["canceled", "agent_canceled", "was canceled"],
  timeout: ["transient", "agent_timeout", "was stopped at its time limit"],
  silent: ["transient", "agent_silent", "was stopped because it showed no activity for too long"],
  flood: ["transient", "agent_flooded", "was stopped because it printed too much"],
} as const satisfies Record<StopReason, readonly [Failure["class"], string, string]>;

function createStoppedFailure(agent: string, reason: StopReason, exit: ProcessExit): Failure {
  const [kind, code, what] = STOPPED[reason];
  return createFailure(kind, code, `${agent} ${what} after ${exit.ms} ms and ${exit.stdoutBytes} bytes.`, exit);
}

function createFailure(kind: Failure["class"], code: string, message: string, exit: ProcessExit): Failure {
  const last = (exit.stderrTail.trim() || exit.stdoutTail.trim()).slice(-SAID_CHARACTERS);
  return { class: kind, code, message, ...(last === "" ? {} : { last }) };
}

/** Finds the line that names the failure: Node, for example, prints its version after every uncaught error. */
function findLastLine(exit: ProcessExit): string {
  const output = exit.stderrTail.trim() || exit.stdoutTail.trim();
  const lines = output.split("\n");
  return (findFailureLine(lines) ?? lines.at(-1))?.trim().slice(0, SAID_CHARACTERS) || "no output.";
}
