import { join, relative, sep } from "node:path";

/** Returns the path below the folder; undefined if it leads outside. */
export function resolveInside(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  const way = relative(folder, file);
  return way === "" || way === ".." || way.startsWith(`..${sep}`) ? undefined : file;
}
