import { type GitStore, writeTree } from "../repository/git-store.ts";
import { MOST_OF_FILE, requireBounds } from "./bounds.ts";
import { withQuarantine } from "./quarantine.ts";

type IndexedFolder = { readonly dir: string; readonly index: string };
type IndexChange = { readonly path: string; readonly gone: boolean };

export type IndexUpdate = {
  readonly tree: string;
  /** Paths whose names git refuses. */
  readonly refused: ReadonlySet<string>;
};

/** Adds files of a directory to an index and writes the resulting tree. */
export async function updateIndex(
  store: GitStore,
  place: IndexedFolder,
  taken: readonly IndexChange[],
): Promise<IndexUpdate> {
  const here = taken.filter((candidate) => !candidate.gone).map((candidate) => candidate.path);
  await requireBounds(place.dir, here);
  return withQuarantine(store, async (objects) => {
    const refused = await updateEntries(store, { ...place, objects }, taken);
    return { refused, tree: await writeTree(store, place.index, objects) };
  });
}

type IndexContext = IndexedFolder & { readonly objects: Readonly<Record<string, string>> };

async function updateEntries(
  store: GitStore,
  { dir, index, objects }: IndexContext,
  taken: readonly IndexChange[],
): Promise<Set<string>> {
  const env = { GIT_INDEX_FILE: index, ...objects };
  const gone = taken.filter((candidate) => candidate.gone).map((candidate) => candidate.path);
  const here = taken.filter((candidate) => !candidate.gone).map((candidate) => candidate.path);
  if (gone.length > 0) {
    const none = "0".repeat(store.repository.objectFormat === "sha1" ? 40 : 64);
    const input = gone.map((path) => `0 ${none}\t${path}\0`).join("");
    await store.ask(["update-index", "-z", "--index-info"], { about: dir, env, input });
  }
  if (here.length === 0) return new Set();
  const input = here.map((path) => `${path}\0`).join("");
  // Prevents packs, which would not leave quarantine.
  const config = { "core.bigFileThreshold": String(MOST_OF_FILE + 1) };
  const { err } = await store.ask(["update-index", "-z", "--add", "--stdin"], { about: dir, env, input, config });
  return new Set(here.filter((path) => err.includes(`Ignoring path ${path}\n`)));
}
