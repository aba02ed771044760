import type { ProcessExit } from "../../ports/processes.ts";

type ProcessEnd = Pick<ProcessExit, "code" | "signal" | "stopped">;

/** Nobody raises these against himself: a person does, a supervisor, or a kernel that has no memory left. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

/** The signal by which somebody who is not us ended it: what it would have said of the tree is not known. */
export function killedBy({ signal, stopped }: ProcessEnd): string | undefined {
  return stopped === null && signal !== null && FROM_OUTSIDE.has(signal) ? signal : undefined;
}

/** As a shell says it of a program that died by its own fault: a test that crashes its runner has failed. */
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

/** Null for what was stopped or killed: it came to no end of its own. */
export function exitCodeOf({ code, signal, stopped }: ProcessEnd): number | null {
  if (stopped !== null) return null;
  return signal === null ? code : (FAULTS.get(signal) ?? null);
}
