import type { ProcessExit } from "../../ports/processes.ts";

type ProcessEnd = Pick<ProcessExit, "code" | "signal" | "stopped">;

/**
 * Signals that come from outside: a person, a supervisor, or a kernel out of memory. Programs do not raise them
 * themselves.
 */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

/** Returns the signal with which another party ended the process. Its result for the tree is then unknown. */
export function findKillSignal({ signal, stopped }: ProcessEnd): string | undefined {
  return stopped === null && signal !== null && FROM_OUTSIDE.has(signal) ? signal : undefined;
}

/** Exit codes of a shell for programs that crashed. A test that crashes its runner has failed. */
const FAULTS: ReadonlyMap<string, number> = new Map([
  ["SIGILL", 132],
  ["SIGTRAP", 133],
  ["SIGABRT", 134],
  ["SIGBUS", 135],
  ["SIGFPE", 136],
  ["SIGSEGV", 139],
  ["SIGPIPE", 141],
  ["SIGXCPU", 152],
  ["SIGXFSZ", 153],
]);

/** Returns null for a stopped or killed process, which did not exit by itself. */
export function toExitCode({ code, signal, stopped }: ProcessEnd): number | null {
  if (stopped !== null) return null;
  return signal === null ? code : (FAULTS.get(signal) ?? null);
}
