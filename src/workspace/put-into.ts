import type { Store } from "./store.ts";

type Place = { readonly dir: string; readonly index: string };
type Put = { readonly path: string; readonly gone: boolean };

/** Puts files as a directory has them into an index; returns the paths whose names git refuses. */
export async function putInto(store: Store, { dir, index }: Place, taken: readonly Put[]): Promise<Set<string>> {
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
  const gone = taken.filter((candidate) => candidate.gone).map((candidate) => candidate.path);
  const here = taken.filter((candidate) => !candidate.gone).map((candidate) => candidate.path);
  if (gone.length > 0) {
    const none = "0".repeat(store.repository.objectFormat === "sha1" ? 40 : 64);
    const input = gone.map((path) => `0 ${none}\t${path}\0`).join("");
    await store.ask(["update-index", "-z", "--index-info"], { env, input });
  }
  if (here.length === 0) return new Set();
  const input = here.map((path) => `${path}\0`).join("");
  const { err } = await store.ask(["update-index", "-z", "--add", "--stdin"], { env, input });
  return new Set(here.filter((path) => err.includes(`Ignoring path ${path}\n`)));
}
