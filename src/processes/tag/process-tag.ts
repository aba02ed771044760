import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { World } from "../../core/ports/world.ts";
import { parseStat, processIds } from "../../node/process-identity.ts";

export const TAG_VARIABLE = "SIGNALBOX_COOKIE";

/**
 * Ends everything whose environment carries the cookie, whatever session or group it has moved to; how many there
 * were. A process that is being killed may still have forked, so it looks again until a look finds nothing.
 */
export async function sweepTagged(cookie: string, world: World, first?: number): Promise<number> {
  const ended = new Set<number>();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const found = carriers(cookie, first);
    if (found.length === 0) break;
    for (const pid of found) {
      ended.add(pid);
      kill(pid, "SIGKILL");
    }
    await world.sleep(BETWEEN_LOOKS_MS);
  }
  return ended.size;
}

/**
 * Live processes with the cookie. One that has ended but was not collected yet has no environment any more. Whoever
 * knows when the first of them began spares the older ones: to read the environment of one that is busy with its memory
 * waits for it.
 */
export function carriers(cookie: string, first = 0): readonly number[] {
  const entry = Buffer.from(`${TAG_VARIABLE}=${cookie}\0`);
  const mayCarry = (pid: number) => pid !== process.pid && (first === 0 || beganAt(pid) >= first);
  return processIds().filter((pid) => mayCarry(pid) && find(variablesOf(pid), entry) >= 0);
}

/** In ticks since the machine began; endless where nobody says so. */
export function beganAt(pid: number): number {
  try {
    const { startTime } = parseStat(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? {};
    return startTime === undefined ? Number.POSITIVE_INFINITY : Number(startTime);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Every live process that carries one, and which. */
export function processTags(): ReadonlyMap<number, string> {
  const found = processIds().flatMap((pid): readonly (readonly [number, string])[] => {
    const variables = variablesOf(pid);
    const at = find(variables, TAG_PREFIX);
    if (at < 0 || pid === process.pid) return [];
    const end = variables.indexOf(0, at);
    return [[pid, variables.toString("utf8", at + TAG_PREFIX.length, end < 0 ? undefined : end)]];
  });
  return new Map(found);
}

/**
 * The group of the command inside a namespace of its own: the first one there after the process that holds the
 * namespace, which belongs to the sandbox and takes everything with it when it dies.
 */
export function groupInside(cookie: string): number | undefined {
  const inside = carriers(cookie)
    .map((pid) => ({ pid, numbers: namespaceNumbers(pid).map(Number) }))
    .filter(({ numbers }) => numbers.length > OWN_DEPTH && numbers.at(-1) !== 1)
    .sort((a, b) => (a.numbers.at(-1) ?? 0) - (b.numbers.at(-1) ?? 0));
  return inside[0] && groupOf(inside[0].pid);
}

/** True only for the very process: a number that was given to another one has another start time. */
export function isAlive(leader: { readonly pid: number; readonly startTime: string }): boolean {
  try {
    return parseStat(readFileSync(`/proc/${leader.pid}/stat`, "utf8"))?.startTime === leader.startTime;
  } catch {
    return false;
  }
}

/** A negative number is a whole group. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, which is what was wanted.
  }
}

// Two seconds: only a process that is stuck in the kernel outlasts them, and no signal reaches it.
const MOST_LOOKS = 400;
const BETWEEN_LOOKS_MS = 5;
const environment = Buffer.alloc(256 * 1024);
const NONE = Buffer.alloc(0);
const TAG_PREFIX = Buffer.from(`${TAG_VARIABLE}=`);

function groupOf(pid: number): number | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"))?.group;
  } catch {
    return undefined;
  }
}

/** A process has one number per namespace that it can be seen from, the outermost first. */
function namespaceNumbers(pid: number | "self"): readonly string[] {
  try {
    const line = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
    return line.trim().split(/\s+/).filter(Boolean);
  } catch {
    return [];
  }
}

const OWN_DEPTH = namespaceNumbers("self").length;

/** Good until the next one is read; empty for what is gone or not ours to look at. */
export function variablesOf(pid: number): Buffer {
  let file: number;
  try {
    file = openSync(`/proc/${pid}/environ`, "r");
  } catch {
    return NONE;
  }
  try {
    // Given whole, or as much as there is room for.
    return environment.subarray(0, readSync(file, environment, 0, environment.length, null));
  } catch {
    return NONE;
  } finally {
    closeSync(file);
  }
}

/** Where an entry begins, or -1: at the start of a variable only, never inside the value of another. */
function find(variables: Buffer, entry: Buffer): number {
  if (variables.subarray(0, entry.length).equals(entry)) return 0;
  for (let at = variables.indexOf(entry); at > 0; at = variables.indexOf(entry, at + 1)) {
    if (variables[at - 1] === 0) return at;
  }
  return -1;
}
