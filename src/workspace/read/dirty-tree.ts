import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { GitStore } from "../repository/git-store.ts";
import { requirePathInside } from "../repository/path-inside.ts";
import { updateIndex } from "../snapshot/update-index.ts";
import { readCheckoutHead } from "./checkout.ts";

/** Uses the engine's own index, so that the user's index and staged changes stay unchanged. */
export async function writeDirtTree(store: GitStore, paths: readonly string[]): Promise<string> {
  const { top } = store.repository;
  const inside = paths.map(requirePathInside);
  const gone = await Promise.all(inside.map(async (path) => !(await isPresent(join(top, path)))));
  const { tree } = await readCheckoutHead(store.repository);
  return store.withIndex(async (index) => {
    await store.ask(["read-tree", tree], { env: { GIT_INDEX_FILE: index } });
    const changes = inside.map((path, at) => ({ path, gone: gone[at] ?? false }));
    return (await updateIndex(store, { dir: top, index }, changes)).tree;
  });
}

async function isPresent(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}
