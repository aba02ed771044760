import { realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { ProcessOrder, SandboxRules, Shown } from "../../core/ports/processes.ts";
import { isWithin } from "../../node/containment.ts";
import { programsOf } from "../programs.ts";

/** A fresh /proc and a bare /dev; no capability, which also matters where the engine is root. */
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"];
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
export function bubblewrapFlags(order: ProcessOrder, sandboxRules: SandboxRules): readonly string[] {
  const writable = sandboxRules.writable.map((path) => realpathSync(path));
  const hidden = hiddenPlaces(sandboxRules.hidden);
  const scratch = PRIVATE.flatMap(existing);
  const covered = [...hidden, ...scratch];
  const asked = (sandboxRules.readable ?? []).flatMap(existing);
  const readable = [...asked, ...programsOf(order, covered), ...nameServers()].filter(
    (path) => covered.some((place) => isWithin(path, place)) && !writable.some((place) => isWithin(path, place)),
  );
  return [
    ...BASE,
    ...(sandboxRules.network === "none" ? ["--unshare-net"] : []),
    ...unique(scratch).flatMap((path) => ["--tmpfs", path]),
    ...hidden.flatMap(hide),
    ...unique(readable).flatMap((path) => ["--ro-bind", path, path]),
    ...unique(writable).flatMap((path) => ["--bind", path, path]),
    ...(sandboxRules.shown ?? []).flatMap(show),
    ...keep(sandboxRules.readOnly, writable),
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

function show({ from, at, writable = false }: Shown): readonly string[] {
  return [writable ? "--bind" : "--ro-bind", realpathSync(from), realpathSync(at)];
}

/**
 * The folders between are mounted on themselves: one that is a mount cannot be renamed, and otherwise a protected
 * folder could be moved away together with the one that holds it, to make room for another.
 */
function keep(paths: readonly string[], writable: readonly string[]): readonly string[] {
  // A link counts as its target: nothing can be mounted on it, and a target outside is not writable anyway.
  const kept = paths.flatMap(existing).filter((path) => writable.some((place) => isWithin(path, place)));
  const pinned = kept.flatMap((path) => writable.flatMap((place) => foldersBetween(place, path)));
  return [
    ...unique(pinned).flatMap((path) => ["--bind", path, path]),
    ...unique(kept).flatMap((path) => ["--ro-bind", path, path]),
  ];
}

function foldersBetween(place: string, path: string): readonly string[] {
  if (!isWithin(path, place)) return [];
  const names = relative(place, dirname(path)).split(sep).filter(Boolean);
  return names.map((_name, index) => join(place, ...names.slice(0, index + 1)));
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
