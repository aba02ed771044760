import type { Role } from "../../../core/authoring/role.ts";
import { AGENT_SETTINGS } from "../../../core/ports/processes.ts";

/**
 * Returns the folders that contain all paths which a documents role may write, none inside another. Undefined for any
 * other role, and if a document can be anywhere or in a place that must stay protected.
 */
export function listDocumentFolders(
  { documents }: Pick<Role, "documents">,
  writes: readonly string[] = [],
): readonly string[] | undefined {
  const folders = writes.filter((glob) => !glob.startsWith("!")).map(getLiteralFolder);
  if (!documents || folders.length === 0 || !folders.every(isPlain)) return undefined;
  const all = [...new Set(folders)].sort();
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}

/** Returns the folders before the first pattern; the last segment is a file. */
function getLiteralFolder(glob: string): string {
  const names = glob.replace(/^\.\//, "").split("/").slice(0, -1);
  const first = names.findIndex((name) => /[*?[\]{}()!+@|\\]/.test(name));
  return names.slice(0, first < 0 ? names.length : first).join("/");
}

const GUARDED = [...AGENT_SETTINGS, ".signalbox"];

function isPlain(folder: string): boolean {
  const isOdd = folder.split("/").some((name) => name === "" || name === "." || name === ".." || /^\.git/i.test(name));
  return !isOdd && !GUARDED.some((path) => `${path}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${path}/`));
}
