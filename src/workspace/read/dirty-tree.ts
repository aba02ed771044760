import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { needsPathInside } from "../repository/inside.ts";
import type { Store } from "../repository/store.ts";
import { putInto } from "../snapshot/update-index.ts";
import { seeHead } from "./checkout.ts";

/** Uses the engine's own index, so that the user's index and staged changes stay unchanged. */
export async function dirtTree(store: Store, paths: readonly string[]): Promise<string> {
  const { top } = store.repository;
  const inside = paths.map(needsPathInside);
  const gone = await Promise.all(inside.map(async (path) => !(await isPresent(join(top, path)))));
  const { tree } = await seeHead(store.repository);
  return store.withIndex(async (index) => {
    await store.ask(["read-tree", tree], { env: { GIT_INDEX_FILE: index } });
    const changes = inside.map((path, at) => ({ path, gone: gone[at] ?? false }));
    return (await putInto(store, { dir: top, index }, changes)).tree;
  });
}

async function isPresent(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}
