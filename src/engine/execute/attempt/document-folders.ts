import type { Role } from "../../../core/authoring/role.ts";
import { AGENT_SETTINGS } from "../../../core/ports/processes.ts";

/**
 * Folders that hold all that a role of documents may write, none inside another. Undefined for any other role, and where
 * a document can be anywhere, or in a place that not all of may be written.
 */
export function documentFolders(
  { documents }: Pick<Role, "documents">,
  writes: readonly string[] = [],
): readonly string[] | undefined {
  const folders = writes.filter((glob) => !glob.startsWith("!")).map(folderOf);
  if (!documents || folders.length === 0 || !folders.every(isPlain)) return undefined;
  const all = [...new Set(folders)].sort();
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}

/** Up to the first name that is a pattern; the last one is a file's. */
function folderOf(glob: string): string {
  const names = glob.replace(/^\.\//, "").split("/").slice(0, -1);
  const first = names.findIndex((name) => /[*?[\]{}()!+@|\\]/.test(name));
  return names.slice(0, first < 0 ? names.length : first).join("/");
}

const GUARDED = [...AGENT_SETTINGS, ".signalbox"];

function isPlain(folder: string): boolean {
  const isOdd = folder.split("/").some((name) => name === "" || name === "." || name === ".." || /^\.git/i.test(name));
  return !isOdd && !GUARDED.some((path) => `${path}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${path}/`));
}
