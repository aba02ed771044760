import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { World } from "../../core/ports/world.ts";
import { listProcessIds, parseStat } from "../../node/process-identity.ts";

export const TAG_VARIABLE = "SIGNALBOX_COOKIE";

/**
 * Ends all processes whose environment has the cookie, whatever session or group they moved to; returns their number.
 * Repeats until it finds none, because a process may fork while it is killed.
 */
export async function sweepTagged(cookie: string, world: World, first?: number): Promise<number> {
  const ended = new Set<number>();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const found = listCarriers(cookie, first);
    if (found.length === 0) break;
    for (const pid of found) {
      ended.add(pid);
      sendSignal(pid, "SIGKILL");
    }
    await world.sleep(BETWEEN_LOOKS_MS);
  }
  return ended.size;
}

/**
 * Lists live processes with the cookie. A zombie has no environment. `first` is the start time of the earliest one:
 * older processes are skipped, because reading the environment of a process that is busy with its memory blocks.
 */
export function listCarriers(cookie: string, first = 0): readonly number[] {
  const entry = Buffer.from(`${TAG_VARIABLE}=${cookie}\0`);
  const mayCarry = (pid: number) => pid !== process.pid && (first === 0 || readStartTime(pid) >= first);
  return listProcessIds().filter((pid) => mayCarry(pid) && findVariable(readVariables(pid), entry) >= 0);
}

/** Start time in ticks since boot; infinite if unknown. */
export function readStartTime(pid: number): number {
  try {
    const { startTime } = parseStat(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? {};
    return startTime === undefined ? Number.POSITIVE_INFINITY : Number(startTime);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Lists live processes that have a cookie, with their cookies. */
export function listProcessTags(): ReadonlyMap<number, string> {
  const found = listProcessIds().flatMap((pid): readonly (readonly [number, string])[] => {
    const variables = readVariables(pid);
    const at = findVariable(variables, TAG_PREFIX);
    if (at < 0 || pid === process.pid) return [];
    const end = variables.indexOf(0, at);
    return [[pid, variables.toString("utf8", at + TAG_PREFIX.length, end < 0 ? undefined : end)]];
  });
  return new Map(found);
}

/**
 * Returns the group of the command inside its own namespace: the first process there after the one that holds the
 * namespace. That one belongs to the sandbox and takes all others with it when it dies.
 */
export function findInnerGroup(cookie: string): number | undefined {
  const inside = listCarriers(cookie)
    .map((pid) => ({ pid, numbers: readNamespacePids(pid).map(Number) }))
    .filter(({ numbers }) => numbers.length > OWN_DEPTH && numbers.at(-1) !== 1)
    .sort((a, b) => (a.numbers.at(-1) ?? 0) - (b.numbers.at(-1) ?? 0));
  return inside[0] && readGroup(inside[0].pid);
}

/** True only for the same process: a reused pid has another start time. */
export function isSameProcess(leader: { readonly pid: number; readonly startTime: string }): boolean {
  try {
    return parseStat(readFileSync(`/proc/${leader.pid}/stat`, "utf8"))?.startTime === leader.startTime;
  } catch {
    return false;
  }
}

/** A negative pid is a process group. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited already.
  }
}

// Two seconds: only processes stuck in the kernel outlast it, and signals do not reach those.
const MOST_LOOKS = 400;
const BETWEEN_LOOKS_MS = 5;
const environment = Buffer.alloc(256 * 1024);
const NO_VARIABLES = Buffer.alloc(0);
const TAG_PREFIX = Buffer.from(`${TAG_VARIABLE}=`);

function readGroup(pid: number): number | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"))?.group;
  } catch {
    return undefined;
  }
}

/** Pids of a process in each namespace that contains it, outermost first. */
function readNamespacePids(pid: number | "self"): readonly string[] {
  try {
    const line = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
    return line.trim().split(/\s+/).filter(Boolean);
  } catch {
    return [];
  }
}

const OWN_DEPTH = readNamespacePids("self").length;

/** Valid until the next call; empty if the process is gone or not accessible. */
export function readVariables(pid: number): Buffer {
  let file: number;
  try {
    file = openSync(`/proc/${pid}/environ`, "r");
  } catch {
    return NO_VARIABLES;
  }
  try {
    // Complete, or truncated to the size of the buffer.
    return environment.subarray(0, readSync(file, environment, 0, environment.length, null));
  } catch {
    return NO_VARIABLES;
  } finally {
    closeSync(file);
  }
}

/** Returns the offset of an entry, or -1. Matches only at the start of a variable, not inside a value. */
function findVariable(variables: Buffer, entry: Buffer): number {
  if (variables.subarray(0, entry.length).equals(entry)) return 0;
  for (let at = variables.indexOf(entry); at > 0; at = variables.indexOf(entry, at + 1)) {
    if (variables[at - 1] === 0) return at;
  }
  return -1;
}
