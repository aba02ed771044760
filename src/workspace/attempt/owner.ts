import { readdirSync } from "node:fs";
import { hostname } from "node:os";
import { isWithin } from "../../node/containment.ts";
import { isGone, linkTo, ownIdentity, processIds } from "../../node/process-identity.ts";

/** Names this process among all that ever ran on this machine: its number, when it began, and since which start. */
export function ownerMark(): string {
  const { pid, start, boot, namespace } = ownIdentity();
  return `signalbox ${hostname()} ${pid} ${start || UNKNOWN} ${boot}/${namespace}`;
}

/** True only where the process is proven gone; about another machine or a foreign text nothing can be said. */
export function ownerIsGone(mark: string): boolean {
  const [word, host, pid = "", start = "", since = "", ...rest] = mark.trimEnd().split(" ");
  if (word !== "signalbox" || host !== hostname() || !/^[1-9]\d*$/.test(pid) || rest.length > 0) return false;
  const [boot = "", namespace = ""] = since.split("/");
  return isGone({ pid: Number(pid), start: start === UNKNOWN ? "" : start, boot, namespace });
}

/** Whether any process works in the folder; where the system does not tell, nobody does. */
export function inUse(dir: string, pids: readonly number[]): boolean {
  return pids.some((pid) => {
    const cwd = linkTo(`/proc/${pid}/cwd`);
    return cwd !== undefined && isWithin(cwd, dir);
  });
}

/** Whether any process but this one has something of the folder open, or lives in it: it could still write there. */
export function isHeld(dir: string): boolean {
  return processIds().some((pid) => pid !== process.pid && linksOf(pid).some((link) => isWithin(link, dir)));
}

function linksOf(pid: number): readonly string[] {
  const open = openFiles(pid).map((name) => `fd/${name}`);
  return ["cwd", "root", ...open].flatMap((name) => linkTo(`/proc/${pid}/${name}`) ?? []);
}

function openFiles(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

const UNKNOWN = "-";
