import { join, relative, sep } from "node:path";

/** The file below the folder, or undefined where the path leads out of it. */
export function insideOf(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  const way = relative(folder, file);
  return way === "" || way === ".." || way.startsWith(`..${sep}`) ? undefined : file;
}
