import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "../node/containment.ts";

/** Resolves symbolic links and returns the real path if it is within the folder. The file need not exist. */
export function resolveWithin(folder: string, path: string): string | undefined {
  const place = resolveReal(resolve(folder, path));
  if (place === undefined) return undefined;
  return isWithin(place, realpathSync(folder)) ? place : undefined;
}

/** Returns undefined for a dangling link: a write through it would create the target. */
function resolveReal(path: string): string | undefined {
  if (existsSync(path)) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined;
  const above = resolveReal(dirname(path));
  return above === undefined ? undefined : join(above, basename(path));
}
