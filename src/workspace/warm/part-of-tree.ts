import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FolderPart } from "../../core/ports/workspace.ts";
import { splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

/** Upper estimate for an entry with its name and id. */
const BYTES_OF_ENTRY = 256;

/** True if a checkout is large enough to avoid; reads no more than needed. */
export async function isLargeTree(store: GitStore, tree: string): Promise<boolean> {
  const mostBytes = store.warmFrom * BYTES_OF_ENTRY;
  const { out, cut } = await store.ask(["ls-tree", "-r", "-z", "--full-tree", tree], { mostBytes });
  return cut || splitRecords(out).length >= store.warmFrom;
}

/** Creates mount points for the folders. Returns false if anything else is in the way, such as a link. */
export async function createMountPoints({ of, own }: FolderPart): Promise<boolean> {
  for (const path of own) {
    let place = of;
    for (const name of path.split("/")) {
      place = join(place, name);
      const there = await lstat(place).catch(() => undefined);
      if (there && !there.isDirectory()) return false;
      // Git ignores empty folders. Another process may create it at the same time.
      if (!there) await mkdir(place, { recursive: true });
    }
  }
  return true;
}

type PartLayout = { readonly dir: string; readonly tree: string; readonly own: readonly string[] };

/** Writes only the tree's content of these folders, which are created in any case. */
export async function writePart(store: GitStore, { dir, tree, own }: PartLayout): Promise<void> {
  await Promise.all(own.map((path) => mkdir(join(dir, path), { recursive: true })));
  await store.withIndex(async (index) => {
    await readPartIndex(store, { index, tree, own });
    const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
    await store.ask(["-c", "core.fsync=none", "checkout-index", "--force", "--all", "--quiet"], { cwd: dir, env });
  });
}

type PartRequest = { readonly index: string; readonly tree: string; readonly own: readonly string[] };

/** Creates an index of the tree's content of these folders. */
export async function readPartIndex(store: GitStore, { index, tree, own }: PartRequest): Promise<void> {
  const { out: input } = await store.ask(["ls-tree", "-r", "-z", "--full-tree", tree, "--", ...own]);
  await store.ask(["update-index", "-z", "--index-info"], { env: { GIT_INDEX_FILE: index }, input });
}
