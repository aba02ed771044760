/** Default folder for a repository without ADRs. */
export const DEFAULT_FOLDER = "docs/adr";

/** Folders with a usual name, and numbered files: `0007-use-queues.md`, `ADR-7-use-queues.md`. */
const FOLDER =
  /^((?:.*\/)?(?:adrs?|decisions|decision[-_]records?|architecture[-_]decisions?))\/[^/]+\.(?:md|mdx|adoc|rst)$/i;
const NUMBERED = /^((?:docs?|doc\/architecture|documentation)(?:\/[^/]+)*)\/adr[-_]?\d+[^/]*\.(?:md|mdx|adoc|rst)$/i;

/** The folder that contains most of this repository's ADRs. */
export function findAdrFolder(files: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of files) {
    const folder = (FOLDER.exec(path) ?? NUMBERED.exec(path))?.[1];
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return most?.[0] ?? DEFAULT_FOLDER;
}
