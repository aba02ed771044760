import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "../node/containment.ts";

/** Where a path really leads, links followed, if that is within the folder; a file that is not there yet counts too. */
export function placeInside(folder: string, path: string): string | undefined {
  const place = realPlace(resolve(folder, path));
  if (place === undefined) return undefined;
  return isWithin(place, realpathSync(folder)) ? place : undefined;
}

/** Undefined for a link that leads nowhere: what is written through it would appear wherever it points to. */
function realPlace(path: string): string | undefined {
  if (existsSync(path)) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined;
  const above = realPlace(dirname(path));
  return above === undefined ? undefined : join(above, basename(path));
}
