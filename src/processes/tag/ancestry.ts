import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { TAG_VARIABLE, variablesOf } from "./process-tag.ts";

/** How the text of every step's first process begins: it can be seen where an environment cannot. */
export const LEADER_MARK = "SIGNALBOX_WATCHER=";

/**
 * A limit that Linux has not enforced for twenty years is handed down to everything that a step starts, through new
 * sessions, cleared environments and dead parents, and only root can raise it again. Shells name it differently.
 */
const UNUSED_LIMIT = 5_160_180_170;
export const MARK_DESCENDANTS = `{ command ulimit -w ${UNUSED_LIMIT} || command ulimit -x ${UNUSED_LIMIT}; } 2> /dev/null`;

/** A step of a run that a process comes from. */
export type Origin = {
  /** What the step was marked with; unknown where only its first process could be recognized. */
  readonly cookie: string | undefined;
  /** Folders that the engine makes for this step alone; a variable of whoever says so does not make it one. */
  readonly own: readonly string[];
};

/**
 * The steps from which this process descends, whatever it did to its own environment: the marks of its ancestors, and
 * of those who lead its group and session, which a process keeps when its parents are gone; and always its own limit,
 * as a mark that somebody puts in their place replaces nothing.
 */
export function origins(): readonly Origin[] {
  const found = kinOrigins();
  return hasLimit() ? [...found, { cookie: undefined, own: found.flatMap(({ own }) => own) }] : found;
}

function hasLimit(): boolean {
  try {
    return new RegExp(`^Max file locks .*\\b${UNUSED_LIMIT}\\b`, "m").test(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return false;
  }
}

function kinOrigins(): readonly Origin[] {
  const look = process.platform === "linux" ? inProc : inList();
  const seen = new Set<number>();
  const waiting = kinOf(look("self") ?? NOBODY);
  const found: Origin[] = [];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    if (pid < 1 || seen.has(pid) || seen.size > MOST_ANCESTORS) continue;
    seen.add(pid);
    const one = look(pid);
    if (one?.origin) found.push(one.origin);
    waiting.push(...kinOf(one ?? NOBODY));
  }
  return found;
}

type ProcessEntry = {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly origin?: Origin | undefined;
};

const NOBODY: ProcessEntry = { parent: 0, group: 0, session: 0 };
const MOST_ANCESTORS = 256;

function kinOf({ parent, group, session }: ProcessEntry): number[] {
  return [parent, group, session];
}

/** Inside a namespace our own number may be another one than the system lists; `self` is always right. */
type ProcessLookup = (pid: number | "self") => ProcessEntry | undefined;

function inProc(pid: number | "self"): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const numbers = { parent: Number(parent), group: Number(group), session: Number(session) };
    return pid === "self" ? numbers : { ...numbers, origin: originOf(pid) };
  } catch {
    return undefined;
  }
}

function originOf(pid: number): Origin | undefined {
  const variables = variablesOf(pid).toString("utf8").split("\0");
  const value = (name: string) => variables.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
  const cookie = value(TAG_VARIABLE) || undefined;
  if (cookie === undefined && !isLeader(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "))) {
    return undefined;
  }
  return { cookie, own: homesOf(cookie ?? "", value("HOME") ?? "") };
}

/**
 * The home that an engine made for this step, by its place and name: whatever else the variable says is what somebody
 * would like to have for his own. Temporary folders lie in it.
 */
function homesOf(cookie: string, said: string): readonly string[] {
  const [run = ""] = cookie.split("/");
  try {
    const home = realpathSync(said);
    const [, of] = /\/signalbox\/homes\/([^/]+)-[0-9a-f]{16}$/.exec(home) ?? [];
    return run !== "" && of === run ? [home] : [];
  } catch {
    return [];
  }
}

function isLeader(command: string): boolean {
  return /^\S*sh -c /.test(command) && command.includes(` -c ${LEADER_MARK}`);
}

/** Where there is no /proc. The rest of a text with several lines is nobody's line. */
export function inList(): ProcessLookup {
  const columns = ["-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "command="];
  const text = execFileSync("ps", ["-axww", ...columns], { encoding: "utf8", maxBuffer: MOST_BYTES });
  const table = new Map(text.split("\n").flatMap(seenIn));
  return (pid) => table.get(pid === "self" ? process.pid : pid);
}

const MOST_BYTES = 1 << 26;

function seenIn(line: string): readonly (readonly [number, ProcessEntry])[] {
  const [, pid, parent, group, command = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [];
  if (pid === undefined) return [];
  const origin = isLeader(command.trim()) ? { cookie: undefined, own: [] } : undefined;
  return [[Number(pid), { parent: Number(parent), group: Number(group), session: 0, origin }]];
}
