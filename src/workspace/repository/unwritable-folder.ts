import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { QUARANTINE } from "../snapshot/quarantine.ts";

type GitCall = { readonly cwd: string; readonly about?: string; readonly env?: Readonly<Record<string, string>> };

/**
 * Finds the folder that git could not write to, because git names none when a disk is full. Returns the first one that
 * is not writable, or else the one with the least free space.
 */
export async function findUnwritableFolder({ cwd, about, env = {} }: GitCall): Promise<string> {
  const index = env["GIT_INDEX_FILE"];
  const places = [
    env["GIT_OBJECT_DIRECTORY"],
    about ?? env["GIT_WORK_TREE"],
    env["GIT_DIR"],
    index && dirname(index),
    cwd,
  ];
  const named = [...new Set(places.flatMap((place) => (place ? [place] : [])))];
  const rooms = await Promise.all(named.map(measureFreeSpace));
  const least = Math.min(...rooms);
  const place = named[rooms.indexOf(least)] ?? cwd;
  // A temporary folder means nothing to the user.
  return basename(place).startsWith(QUARANTINE) ? dirname(place) : place;
}

/** Negative if writing is refused; unlimited if unknown. */
async function measureFreeSpace(place: string): Promise<number> {
  const refused = await access(place, constants.W_OK).then(
    () => false,
    (error: unknown) => error instanceof Error && "code" in error && error.code !== "ENOENT",
  );
  if (refused) return -1;
  const { bavail, bsize } = await statfs(place).catch(() => ({ bavail: Number.MAX_SAFE_INTEGER, bsize: 1 }));
  return bavail * bsize;
}
