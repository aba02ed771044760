import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import type { SandboxRules } from "../../core/ports/processes.ts";
import { isWithin } from "../../node/containment.ts";

/**
 * Empty folders where a protected path does not exist yet, so that there is something to mount on; the ones made.
 * Folders even for what would be a file: git does not see an empty folder, so neither a status nor a snapshot does.
 */
export function reserve({ readOnly, writable }: SandboxRules): readonly string[] {
  const places = writable.filter(exists);
  return readOnly.filter((path) => places.some((place) => isWithin(path, place))).flatMap(make);
}

/** In the opposite order of making. A folder that holds something is nobody's placeholder any more and stays. */
export function release(places: readonly string[]): void {
  for (const place of places.toReversed()) {
    try {
      rmdirSync(place);
    } catch {
      // Gone, or in use: both are fine.
    }
  }
}

function make(path: string): readonly string[] {
  if (exists(path)) return [];
  const above = make(dirname(path));
  // Through a link the folder would come to lie wherever the tree's author wants it.
  if (!lstatSync(dirname(path)).isDirectory()) return above;
  mkdirSync(path);
  return [...above, path];
}

/** Links count by themselves: what they lead to is somebody else's. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
