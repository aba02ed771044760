import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Names this process among all that ever ran on this machine: its number, when it began, and since which start. */
export function ownerMark(): string {
  return `signalbox ${hostname()} ${process.pid} ${startOf(process.pid) ?? "-"} ${machineStart()}`;
}

/** True only where the process is proven gone; about another machine or a foreign text nothing can be said. */
export function ownerIsGone(mark: string): boolean {
  const [word, host, pid = "", start, boot, ...rest] = mark.trimEnd().split(" ");
  if (word !== "signalbox" || host !== hostname() || !/^[1-9]\d*$/.test(pid) || rest.length > 0) return false;
  const [bootNow = "", spaceNow] = machineStart().split("/");
  const [bootThen = "", spaceThen] = (boot ?? "").split("/");
  if (bootNow === "" || bootThen === "") return !exists(Number(pid));
  if (bootNow !== bootThen) return true;
  // In another container the same number is another process.
  return spaceNow === spaceThen && startOf(Number(pid)) !== start;
}

/** Whether any process works in the folder; where the system does not tell, nobody does. */
export function inUse(dir: string, pids: readonly number[]): boolean {
  return pids.some((pid) => {
    const cwd = linkOf(`/proc/${pid}/cwd`);
    return cwd === dir || (cwd?.startsWith(`${dir}/`) ?? false);
  });
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

/** Clock ticks since the machine's start at which it began; undefined when it is gone or waits to be collected. */
function startOf(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, so the fields are counted from behind it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields?.[0] === "Z" || fields?.[0] === "X" ? undefined : fields?.[19];
}

function machineStart(): string {
  const boot = textOf("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return `${boot}/${linkOf("/proc/self/ns/pid")?.replaceAll(/\D/g, "") ?? ""}`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
