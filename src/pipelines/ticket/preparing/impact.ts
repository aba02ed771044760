export type Impact = { readonly affected_areas: readonly string[]; readonly likely_files: readonly string[] };

const MOST_FILES = 20;
const MOST_AREAS = 8;
const SHORTEST_WORD = 3;
const SMALL_WORDS = new Set(
  "the and for with use using from into that this when must should add fix new bug feature create implement update improve refactor cleanup chore".split(
    " ",
  ),
);

/**
 * Ranks files by words of the request in their paths, then adds entry points, and lists their folders. Small libraries
 * have everything in one file that no request names.
 */
export function scanImpact(request: string, files: readonly string[]): Impact {
  const wanted = new Set(splitWords(request).filter((word) => !SMALL_WORDS.has(word)));
  const named = files
    .map((path) => ({ path, hits: countHits(path, request, wanted) }))
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.hits - a.hits || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
  const likely = [...new Set([...named.slice(0, MOST_FILES), ...files.filter((path) => ENTRY.test(path))])].slice(
    0,
    MOST_FILES,
  );
  return { affected_areas: [...new Set(likely.map(getArea))].slice(0, MOST_AREAS), likely_files: likely };
}

/** Entry points of the project and of its packages. */
const ENTRY =
  /^(?:(?:packages|crates|apps)\/[^/]+\/)?(?:(?:src|lib)\/)?(?:[^/]+\/)?(?:index|main|mod|lib|app|__init__|__main__)\.(?:[cm]?[jt]sx?|py|rs|go|rb|php)$/;

/** A path that the request names outweighs any number of words. */
function countHits(path: string, request: string, wanted: ReadonlySet<string>): number {
  const named = /[/.]/.test(path) && request.includes(path) ? 100 : 0;
  return named + new Set(splitWords(path).filter((word) => wanted.has(word))).size;
}

/** Splits `getUserName.ts` into user, name and ts; plural and singular are equal. */
function splitWords(text: string): string[] {
  const words = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return (words.match(/[a-z0-9]+/g) ?? [])
    .filter((word) => word.length >= SHORTEST_WORD)
    .map((word) => word.replace(/s$/, ""));
}

const getArea = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".");
