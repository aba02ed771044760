import { isAbsolute, relative, sep } from "node:path";

/** Returns true if the path is the folder or below it. Links are not resolved; that is up to the caller. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
