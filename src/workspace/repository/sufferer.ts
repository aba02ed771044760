import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { QUARANTINE } from "../snapshot/quarantine.ts";

type GitCall = { readonly cwd: string; readonly about?: string; readonly env?: Readonly<Record<string, string>> };

/**
 * Where git could not write. It names no place when a disk is full, and it writes to several: the first of them that
 * cannot be written to at all, or else the one with the least room.
 */
export async function suffererOf({ cwd, about, env = {} }: GitCall): Promise<string> {
  const index = env["GIT_INDEX_FILE"];
  const places = [
    env["GIT_OBJECT_DIRECTORY"],
    about ?? env["GIT_WORK_TREE"],
    env["GIT_DIR"],
    index && dirname(index),
    cwd,
  ];
  const named = [...new Set(places.flatMap((place) => (place ? [place] : [])))];
  const rooms = await Promise.all(named.map(roomAt));
  const least = Math.min(...rooms);
  const place = named[rooms.indexOf(least)] ?? cwd;
  // A folder of a moment tells nobody anything.
  return basename(place).startsWith(QUARANTINE) ? dirname(place) : place;
}

/** Less than nothing where writing is refused; what cannot be looked at has room. */
async function roomAt(place: string): Promise<number> {
  const refused = await access(place, constants.W_OK).then(
    () => false,
    (error: unknown) => error instanceof Error && "code" in error && error.code !== "ENOENT",
  );
  if (refused) return -1;
  const { bavail, bsize } = await statfs(place).catch(() => ({ bavail: Number.MAX_SAFE_INTEGER, bsize: 1 }));
  return bavail * bsize;
}
