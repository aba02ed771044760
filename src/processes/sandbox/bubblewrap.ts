import { realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { ProcessOrder, SandboxMount, SandboxRules } from "../../core/ports/processes.ts";
import { isWithin } from "../../node/containment.ts";
import { listPrograms } from "../programs.ts";

/** A fresh /proc, a minimal /dev and no capabilities, which also matters if the engine runs as root. */
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

/**
 * Mounts are applied in order, later ones over earlier ones: hidden, visible again, writable, and read-only within
 * that.
 */
export function listBubblewrapFlags(order: ProcessOrder, sandboxRules: SandboxRules): readonly string[] {
  const writable = sandboxRules.writable.map((path) => realpathSync(path));
  const hidden = listHidden(sandboxRules.hidden);
  const scratch = SCRATCH_FOLDERS.flatMap(resolveExisting);
  const covered = [...hidden, ...scratch];
  const asked = (sandboxRules.readable ?? []).flatMap(resolveExisting);
  const readable = [...asked, ...listPrograms(order, covered), ...listNameServers()].filter(
    (path) => covered.some((place) => isWithin(path, place)) && !writable.some((place) => isWithin(path, place)),
  );
  return [
    ...BASE,
    ...(sandboxRules.network === "none" ? ["--unshare-net"] : []),
    ...sortUnique(scratch).flatMap((path) => ["--tmpfs", path]),
    ...hidden.flatMap(hidePath),
    ...sortUnique(readable).flatMap((path) => ["--ro-bind", path, path]),
    ...sortUnique(writable).flatMap((path) => ["--bind", path, path]),
    ...(sandboxRules.shown ?? []).flatMap(mountShown),
    ...mountReadOnly(sandboxRules.readOnly, writable),
    // Comes last, because the mount points had to be created in these folders.
    ...hidden.filter(isFolder).flatMap((path) => ["--remount-ro", path]),
    ...["--chdir", realpathSync(order.cwd), "--"],
  ];
}

/** Shared scratch folders, and sockets of system services, which a read-only mount would not block. */
const SCRATCH_FOLDERS = ["/tmp", "/var/tmp", "/run"];

/** Drops folders inside a hidden one. */
function listHidden(paths: readonly string[]): readonly string[] {
  const real = sortUnique(paths.flatMap(resolveExisting));
  return real.filter((path) => !real.some((other) => other !== path && isWithin(path, other)));
}

function hidePath(path: string): readonly string[] {
  return isFolder(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function mountShown({ from, at, writable = false }: SandboxMount): readonly string[] {
  return [writable ? "--bind" : "--ro-bind", realpathSync(from), realpathSync(at)];
}

/**
 * Mounts the intermediate folders on themselves, because a mount point cannot be renamed. Otherwise a protected folder
 * could be moved away with its parent and be replaced.
 */
function mountReadOnly(paths: readonly string[], writable: readonly string[]): readonly string[] {
  // Resolves links, because nothing can be mounted on one; a target outside is not writable anyway.
  const kept = paths.flatMap(resolveExisting).filter((path) => writable.some((place) => isWithin(path, place)));
  const pinned = kept.flatMap((path) => writable.flatMap((place) => listFoldersBetween(place, path)));
  return [
    ...sortUnique(pinned).flatMap((path) => ["--bind", path, path]),
    ...sortUnique(kept).flatMap((path) => ["--ro-bind", path, path]),
  ];
}

function listFoldersBetween(place: string, path: string): readonly string[] {
  if (!isWithin(path, place)) return [];
  const names = relative(place, dirname(path)).split(sep).filter(Boolean);
  return names.map((_name, index) => join(place, ...names.slice(0, index + 1)));
}

/** On systems that store name servers below /run, /etc has only a link to them. */
function listNameServers(): readonly string[] {
  return resolveExisting("/etc/resolv.conf");
}

function resolveExisting(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Shorter paths first, so that a parent is mounted before its children. */
function sortUnique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}
