import { realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Confinement, ProcessOrder } from "../core/ports/processes.ts";
import { isWithin, programsOf } from "./programs.ts";

/**
 * A fresh /proc and a bare /dev; no capability, which also matters where the engine is root; no session that a
 * terminal could be won back for.
 */
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session"];
const BASE = [...NAMESPACES, "--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];

export const BUBBLEWRAP_PROBE: readonly string[] = [
  ...BASE,
  "--unshare-net",
  "--tmpfs",
  "/tmp",
  "--remount-ro",
  "/tmp",
];

/** Mounts are made in order, later ones over earlier ones: hidden, shown again, writable, and read-only in that. */
export function bubblewrapFlags(order: ProcessOrder, confine: Confinement): readonly string[] {
  const writable = confine.writable.map((path) => realpathSync(path));
  const hidden = hiddenPlaces(confine.hidden);
  const covered = [...hidden, ...PRIVATE];
  const asked = (confine.readable ?? []).flatMap(existing);
  const readable = [...asked, ...programsOf(order, covered), ...nameServers()].filter(
    (path) => covered.some((place) => isWithin(path, place)) && !writable.some((place) => isWithin(path, place)),
  );
  return [
    ...BASE,
    ...(confine.network === "none" ? ["--unshare-net"] : []),
    ...PRIVATE.flatMap((path) => existing(path).flatMap((real) => ["--tmpfs", real])),
    ...hidden.flatMap(hide),
    ...unique(readable).flatMap((path) => ["--ro-bind", path, path]),
    ...unique(writable).flatMap((path) => ["--bind", path, path]),
    ...confine.readOnly.flatMap((path) => keep(path, writable)),
    // Only now: the places to mount on had to be made in them.
    ...hidden.filter(isFolder).flatMap((path) => ["--remount-ro", path]),
    ...["--chdir", realpathSync(order.cwd), "--"],
  ];
}

/** Everybody's scratch, and the sockets of everybody's services, which a read-only view would not close. */
const PRIVATE = ["/tmp", "/var/tmp", "/run"];

/** Nothing twice: inside a hidden folder there is nothing left to hide. */
function hiddenPlaces(paths: readonly string[]): readonly string[] {
  const real = unique(paths.flatMap(existing));
  return real.filter((path) => !real.some((other) => other !== path && isWithin(path, other)));
}

function hide(path: string): readonly string[] {
  return isFolder(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

/**
 * The folders between are mounted on themselves: one that is a mount cannot be renamed, and otherwise a protected
 * folder could be moved away together with the one that holds it, to make room for another.
 */
function keep(path: string, writable: readonly string[]): readonly string[] {
  const [real] = existing(path);
  const home = real === undefined ? undefined : writable.find((place) => isWithin(real, place));
  // A link is as its target says: it cannot be mounted on, and a target outside is not writable anyway.
  if (real === undefined || home === undefined) return [];
  const between = relative(home, dirname(real)).split(sep).filter(Boolean);
  const pinned = between.map((_name, index) => join(home, ...between.slice(0, index + 1)));
  return [...pinned.flatMap((folder) => ["--bind", folder, folder]), "--ro-bind", real, real];
}

/** Where the system keeps its name servers below /run, only a link is left of them in /etc. */
function nameServers(): readonly string[] {
  return existing("/etc/resolv.conf");
}

function existing(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Shorter ones first, so that what holds another is mounted before it. */
function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}
