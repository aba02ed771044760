import { readdirSync } from "node:fs";
import { hostname } from "node:os";
import { isWithin } from "../../node/containment.ts";
import { getOwnIdentity, isGone, listProcessIds, readLinkTarget } from "../../node/process-identity.ts";

/** Identifies this process among all that ever ran on this machine: pid, start time and boot id. */
export function createOwnerMark(): string {
  const { pid, start, boot, namespace } = getOwnIdentity();
  return `signalbox ${hostname()} ${pid} ${start || UNKNOWN} ${boot}/${namespace}`;
}

/** True only if the process is proven gone. Returns false for other machines and foreign texts. */
export function isOwnerGone(mark: string): boolean {
  const [word, host, pid = "", start = "", since = "", ...rest] = mark.trimEnd().split(" ");
  if (word !== "signalbox" || host !== hostname() || !/^[1-9]\d*$/.test(pid) || rest.length > 0) return false;
  const [boot = "", namespace = ""] = since.split("/");
  return isGone({ pid: Number(pid), start: start === UNKNOWN ? "" : start, boot, namespace });
}

/** True if a process has its working directory in the folder. False if the system does not report it. */
export function isInUse(dir: string, pids: readonly number[]): boolean {
  return pids.some((pid) => {
    const cwd = readLinkTarget(`/proc/${pid}/cwd`);
    return cwd !== undefined && isWithin(cwd, dir);
  });
}

/**
 * True if a process other than this one has its working directory or an open file in the folder, and so could still
 * write there.
 */
export function isHeld(dir: string): boolean {
  return listProcessIds().some((pid) => pid !== process.pid && listLinks(pid).some((link) => isWithin(link, dir)));
}

function listLinks(pid: number): readonly string[] {
  const open = listOpenFiles(pid).map((name) => `fd/${name}`);
  return ["cwd", "root", ...open].flatMap((name) => readLinkTarget(`/proc/${pid}/${name}`) ?? []);
}

function listOpenFiles(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

const UNKNOWN = "-";
