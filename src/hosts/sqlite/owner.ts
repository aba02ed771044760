import { hostname } from "node:os";
import { isGone, ownIdentity } from "../../node/process-identity.ts";

/**
 * `<hostname>:<pid>:<starttime>:<bootid>`: names this process among all that ever ran on this machine.
 * The boot id carries the process-id namespace, because the same number means another process in a container.
 */
export function ownerName(): string {
  const { pid, start, boot, namespace } = ownIdentity();
  return [machine(), pid, start, [boot, namespace].filter(Boolean).join("/")].join(":");
}

/** True only where the process can be proven gone; about other machines nothing can be said. */
export function ownerIsDead(owner: string): boolean {
  const [host, pid = "", start, bootId, ...rest] = owner.split(":");
  if (host !== machine() || start === undefined || bootId === undefined || rest.length > 0) return false;
  if (!/^[1-9]\d*$/.test(pid)) return false;
  const [boot = "", namespace = ""] = bootId.split("/");
  return isGone({ pid: Number(pid), start, boot, namespace });
}

function machine(): string {
  return hostname().replaceAll(":", "-");
}
