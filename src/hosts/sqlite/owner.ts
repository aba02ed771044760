import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * `<hostname>:<pid>:<starttime>:<bootid>`: names this process among all that ever ran on this machine.
 * The boot id carries the process-id namespace, because the same number means another process in a container.
 */
export function ownerName(): string {
  return [machine(), process.pid, started(process.pid) ?? "", boot()].join(":");
}

/** True only where the process can be proven gone; about other machines nothing can be said. */
export function ownerIsDead(owner: string): boolean {
  const [host, pid, start, bootId, ...rest] = owner.split(":");
  if (host !== machine() || !pid || start === undefined || bootId === undefined || rest.length > 0) return false;
  if (!/^[1-9]\d*$/.test(pid)) return false;
  if (kernelOf(bootId) !== kernelOf(boot())) return bootId !== "" && boot() !== "";
  if (bootId !== boot()) return false;
  // Without a start time a reused number cannot be told from the owner, so only absence proves anything.
  return start === "" ? !exists(Number(pid)) : started(Number(pid)) !== start;
}

function machine(): string {
  return hostname().replaceAll(":", "-");
}

/** Clock ticks since boot at which the process began; undefined when it is gone or waits to be reaped. */
function started(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, so the fields are counted from behind it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const gone = fields?.[0] === "Z" || fields?.[0] === "X";
  return gone ? undefined : fields?.[19];
}

let bootId: string | undefined;

function boot(): string {
  bootId ??= [read("/proc/sys/kernel/random/boot_id")?.trim(), namespace()].filter(Boolean).join("/");
  return bootId;
}

function kernelOf(id: string): string {
  return id.split("/")[0] ?? "";
}

function namespace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "");
  } catch {
    return undefined;
  }
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
