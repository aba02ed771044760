import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import type { SandboxRules } from "../../core/ports/processes.ts";
import { isWithin } from "../../node/containment.ts";

/**
 * Creates empty folders for protected paths that do not exist yet, as mount points. Returns the created ones. Files get
 * folders too: git ignores an empty folder, so it appears in no status or snapshot.
 */
export function createPlaceholders({ readOnly, writable }: SandboxRules): readonly string[] {
  const places = writable.filter(existsUnfollowed);
  return readOnly.filter((path) => places.some((place) => isWithin(path, place))).flatMap(makeFolders);
}

/** Removes in reverse order of creation. A folder with content is no longer a placeholder and stays. */
export function removePlaceholders(places: readonly string[]): void {
  for (const place of places.toReversed()) {
    try {
      rmdirSync(place);
    } catch {
      // Gone or in use: both are fine.
    }
  }
}

function makeFolders(path: string): readonly string[] {
  if (existsUnfollowed(path)) return [];
  const above = makeFolders(dirname(path));
  // Through a link the folder would be created at a place of the tree author's choice.
  if (!lstatSync(dirname(path)).isDirectory()) return above;
  mkdirSync(path);
  return [...above, path];
}

/** A link counts as itself, because its target is outside our control. */
function existsUnfollowed(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
