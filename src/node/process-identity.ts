import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Identifies a process among all that ever ran on this machine; unknown values are empty. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Start time in clock ticks since boot. */
  readonly start: string;
  /** Changes with every boot, after which old process ids are meaningless. */
  readonly boot: string;
  /** The same id in another container is another process. */
  readonly namespace: string;
};

export function getOwnIdentity(): ProcessIdentity {
  return { pid: process.pid, start: readStartTime(process.pid) ?? "", boot: getBootId(), namespace: getPidNamespace() };
}

/** Returns true only if the process is proven to be gone. */
export function isGone({ pid, start, boot, namespace }: ProcessIdentity): boolean {
  if (boot !== getBootId()) return boot !== "" && getBootId() !== "";
  if (namespace !== getPidNamespace()) return false;
  // A reused id looks like the owner if the start time is unknown, so only absence proves anything.
  return start === "" ? !exists(pid) : readStartTime(pid) !== start;
}

/** Lists the ids of all running processes, if the system provides them. */
export function listProcessIds(): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

export type ProcessStat = { readonly pid: number; readonly group: number; readonly startTime: string };

/** Parses a line of /proc/<pid>/stat. Returns undefined for anything else. */
export function parseStat(line: string): ProcessStat | undefined {
  const pid = Number.parseInt(line, 10);
  // The name in parentheses may contain any character, so fields are counted after it.
  const fields = line
    .slice(line.lastIndexOf(")") + 2)
    .trim()
    .split(" ");
  const startTime = fields[19];
  return Number.isInteger(pid) && startTime !== undefined ? { pid, group: Number(fields[2]), startTime } : undefined;
}

let boot: string | undefined;

export function getBootId(): string {
  boot ??= readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return boot;
}

/** Returns undefined if the process is gone or a zombie. */
function readStartTime(pid: number): string | undefined {
  const line = readText(`/proc/${pid}/stat`) ?? "";
  return /\) [ZX] /.test(line.slice(line.lastIndexOf(")"))) ? undefined : parseStat(line)?.startTime;
}

let namespace: string | undefined;

function getPidNamespace(): string {
  namespace ??= readLinkTarget("/proc/self/ns/pid")?.replaceAll(/\D/g, "") ?? "";
  return namespace;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Returns the target of a link, or undefined if it is not a link or not readable. */
export function readLinkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
