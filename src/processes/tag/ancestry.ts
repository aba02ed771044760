import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { readVariables, TAG_VARIABLE } from "./process-tag.ts";

/** The first words of the script of every step's leader, visible even where environments are not. */
export const LEADER_MARK = "SIGNALBOX_WATCHER=";

/**
 * Linux has not enforced this limit for twenty years, but passes it on to all descendants of a step, across new
 * sessions, cleared environments and dead parents, and only root can raise it. Shells name it differently.
 */
const UNUSED_LIMIT = 5_160_180_170;
export const MARK_DESCENDANTS = `{ command ulimit -w ${UNUSED_LIMIT} || command ulimit -x ${UNUSED_LIMIT}; } 2> /dev/null`;

/** A step of a run that a process descends from. */
export type Origin = {
  /** The step's cookie; undefined if only its leader was recognized. */
  readonly cookie: string | undefined;
  /** Folders that the engine created for this step. A variable alone is no proof. */
  readonly own: readonly string[];
};

/**
 * Lists the steps from which this process descends, whatever it did to its environment. Uses the marks of its ancestors
 * and of the leaders of its group and session, which survive dead parents, and always its own limit, which a forged
 * mark cannot replace.
 */
export function listOrigins(): readonly Origin[] {
  const found = listKinOrigins();
  return hasLimit() ? [...found, { cookie: undefined, own: found.flatMap(({ own }) => own) }] : found;
}

function hasLimit(): boolean {
  try {
    return new RegExp(`^Max file locks .*\\b${UNUSED_LIMIT}\\b`, "m").test(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return false;
  }
}

function listKinOrigins(): readonly Origin[] {
  const look = process.platform === "linux" ? readProcess : listProcesses();
  const seen = new Set<number>();
  const waiting = listKin(look("self") ?? UNKNOWN_PROCESS);
  const found: Origin[] = [];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    if (pid < 1 || seen.has(pid) || seen.size > MOST_ANCESTORS) continue;
    seen.add(pid);
    const one = look(pid);
    if (one?.origin) found.push(one.origin);
    waiting.push(...listKin(one ?? UNKNOWN_PROCESS));
  }
  return found;
}

type ProcessEntry = {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly origin?: Origin | undefined;
};

const UNKNOWN_PROCESS: ProcessEntry = { parent: 0, group: 0, session: 0 };
const MOST_ANCESTORS = 256;

function listKin({ parent, group, session }: ProcessEntry): number[] {
  return [parent, group, session];
}

/** Inside a namespace a process's own pid may differ from the listed one; `self` is always right. */
type ProcessLookup = (pid: number | "self") => ProcessEntry | undefined;

function readProcess(pid: number | "self"): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const numbers = { parent: Number(parent), group: Number(group), session: Number(session) };
    return pid === "self" ? numbers : { ...numbers, origin: readOrigin(pid) };
  } catch {
    return undefined;
  }
}

function readOrigin(pid: number): Origin | undefined {
  const variables = readVariables(pid).toString("utf8").split("\0");
  const getVariable = (name: string) => variables.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
  const cookie = getVariable(TAG_VARIABLE) || undefined;
  if (cookie === undefined && !isLeader(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "))) {
    return undefined;
  }
  return { cookie, own: listHomes(cookie ?? "", getVariable("HOME") ?? "") };
}

/**
 * Accepts a home only if its path has the form that the engine creates for this step, because anyone can set the
 * variable. It contains the temporary folders.
 */
function listHomes(cookie: string, claimed: string): readonly string[] {
  const [run = ""] = cookie.split("/");
  try {
    const home = realpathSync(claimed);
    const [, of] = /\/signalbox\/homes\/([^/]+)-[0-9a-f]{16}$/.exec(home) ?? [];
    return run !== "" && of === run ? [home] : [];
  } catch {
    return [];
  }
}

function isLeader(command: string): boolean {
  return /^\S*sh -c /.test(command) && command.includes(` -c ${LEADER_MARK}`);
}

/** For systems without /proc. Continuation lines of a command with line breaks do not match. */
export function listProcesses(): ProcessLookup {
  const columns = ["-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "command="];
  const text = execFileSync("ps", ["-axww", ...columns], { encoding: "utf8", maxBuffer: MOST_BYTES });
  const table = new Map(text.split("\n").flatMap(parseProcessLine));
  return (pid) => table.get(pid === "self" ? process.pid : pid);
}

const MOST_BYTES = 1 << 26;

function parseProcessLine(line: string): readonly (readonly [number, ProcessEntry])[] {
  const [, pid, parent, group, command = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [];
  if (pid === undefined) return [];
  const origin = isLeader(command.trim()) ? { cookie: undefined, own: [] } : undefined;
  return [[Number(pid), { parent: Number(parent), group: Number(group), session: 0, origin }]];
}
