import { type Failure, isLacking } from "../core/failure/failure.ts";
import type { ProcessExit } from "../core/ports/processes.ts";
import { disguisedFailure, knownFailure } from "./said-failure.ts";

/**
 * What a program said in plain lines before it left without a word in its protocol: on standard error, or on standard
 * output among lines that are no JSON. A line about a login or a missing program outranks the others, because nothing
 * else can be the matter then. With exit 0 a line must begin like a failure: banners and warnings are plain lines too.
 */
export function plainFailure(agent: string, exit: ProcessExit, now: number): Failure | undefined {
  if (exit.code === null || exit.code >= 126) return undefined;
  const read = exit.code === 0 ? disguisedFailure : knownFailure;
  const spoken = exit.code === 0 ? [] : linesOf(exit.stderrTail);
  const printed = linesOf(exit.stdoutTail).filter((line) => !line.startsWith("{"));
  const known = [...printed, ...spoken].flatMap((line) => read(agent, line, now) ?? []);
  // What fits no single line may be an error's body that was printed over several.
  const whole = exit.code === 0 ? undefined : knownFailure(agent, exit.stderrTail, now);
  return known.findLast(isLacking) ?? known.at(-1) ?? whole;
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
