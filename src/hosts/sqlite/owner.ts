import { hostname } from "node:os";
import { getOwnIdentity, isGone } from "../../node/process-identity.ts";

/**
 * `<hostname>:<pid>:<starttime>:<bootid>`: identifies this process among all that ever ran on this machine. The boot id
 * includes the process-id namespace, because a number means another process in a container.
 */
export function getOwnerName(): string {
  const { pid, start, boot, namespace } = getOwnIdentity();
  return [getMachineName(), pid, start, [boot, namespace].filter(Boolean).join("/")].join(":");
}

/** True only if the process is proven gone. Returns false for other machines. */
export function isOwnerDead(owner: string): boolean {
  const [host, pid = "", start, bootId, ...rest] = owner.split(":");
  if (host !== getMachineName() || start === undefined || bootId === undefined || rest.length > 0) return false;
  if (!/^[1-9]\d*$/.test(pid)) return false;
  const [boot = "", namespace = ""] = bootId.split("/");
  return isGone({ pid: Number(pid), start, boot, namespace });
}

function getMachineName(): string {
  return hostname().replaceAll(":", "-");
}
