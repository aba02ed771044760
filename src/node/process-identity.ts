import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A process among all that ever ran on this machine; what the system does not tell is empty. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Clock ticks since the machine's start at which it began. */
  readonly start: string;
  /** Changes with every start of the machine, after which old numbers mean nothing. */
  readonly boot: string;
  /** In another container the same number is another process. */
  readonly namespace: string;
};

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, start: startOf(process.pid) ?? "", boot: bootId(), namespace: pidNamespace() };
}

/** True only where the process can be proven gone. */
export function isGone({ pid, start, boot, namespace }: ProcessIdentity): boolean {
  if (boot !== bootId()) return boot !== "" && bootId() !== "";
  if (namespace !== pidNamespace()) return false;
  // Without a start time a reused number cannot be told from the owner, so only absence proves anything.
  return start === "" ? !exists(pid) : startOf(pid) !== start;
}

/** All that run now, where the system lists them. */
export function processIds(): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

export type ProcessStat = { readonly pid: number; readonly group: number; readonly startTime: string };

/** A line of /proc/<pid>/stat; undefined for what is none. */
export function parseStat(line: string): ProcessStat | undefined {
  const pid = Number.parseInt(line, 10);
  // The name in parentheses may hold anything, so the fields are counted from behind it.
  const fields = line
    .slice(line.lastIndexOf(")") + 2)
    .trim()
    .split(" ");
  const startTime = fields[19];
  return Number.isInteger(pid) && startTime !== undefined ? { pid, group: Number(fields[2]), startTime } : undefined;
}

let boot: string | undefined;

export function bootId(): string {
  boot ??= read("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return boot;
}

/** Undefined when it is gone or waits to be collected. */
function startOf(pid: number): string | undefined {
  const line = read(`/proc/${pid}/stat`) ?? "";
  return /\) [ZX] /.test(line.slice(line.lastIndexOf(")"))) ? undefined : parseStat(line)?.startTime;
}

let namespace: string | undefined;

function pidNamespace(): string {
  namespace ??= linkTo("/proc/self/ns/pid")?.replaceAll(/\D/g, "") ?? "";
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

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Where a link leads; undefined for what is no link, or not ours to look at. */
export function linkTo(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
