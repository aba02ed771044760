import { type Failure, isMissingPrerequisite } from "../core/failure/failure.ts";
import type { ProcessExit } from "../core/ports/processes.ts";
import { findDisguisedFailure, knownFailure } from "./reported-failure.ts";

/**
 * Finds the failure that a program printed in plain lines before it exited without its protocol's final event: on
 * standard error, or in lines of standard output that are not JSON. A login problem or a missing program outranks other
 * lines, because it explains the exit. With exit code 0 a line must start like a failure, because banners and warnings
 * are plain lines too.
 */
export function findPlainFailure(agent: string, exit: ProcessExit, now: number): Failure | undefined {
  if (exit.code === null || exit.code >= 126) return undefined;
  const read = exit.code === 0 ? findDisguisedFailure : knownFailure;
  const spoken = exit.code === 0 ? [] : splitLines(exit.stderrTail);
  const printed = splitLines(exit.stdoutTail).filter((line) => !line.startsWith("{"));
  const known = [...printed, ...spoken].flatMap((line) => read(agent, line, now) ?? []);
  // An error body may span several lines, so that no single line matches.
  const whole = exit.code === 0 ? undefined : knownFailure(agent, exit.stderrTail, now);
  return known.findLast(isMissingPrerequisite) ?? known.at(-1) ?? whole;
}

function splitLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
