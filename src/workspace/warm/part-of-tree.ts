import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "../../core/ports/workspace.ts";
import { records } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";

/** With a name and its id, one of them has hardly more. */
const BYTES_OF_ENTRY = 256;

/** Whether a checkout of it is worth being saved; no more is read than tells. */
export async function isLarge(store: Store, tree: string): Promise<boolean> {
  const mostBytes = store.warmFrom * BYTES_OF_ENTRY;
  const { out, cut } = await store.ask(["ls-tree", "-r", "-z", "--full-tree", tree], { mostBytes });
  return cut || records(out).length >= store.warmFrom;
}

/** Something to show folders in; false where there is anything else in the way, a link for one. */
export async function makePlaces({ of, own }: Part): Promise<boolean> {
  for (const path of own) {
    let place = of;
    for (const name of path.split("/")) {
      place = join(place, name);
      const there = await lstat(place).catch(() => undefined);
      if (there && !there.isDirectory()) return false;
      // Git does not see it. Another may be just as quick with it.
      if (!there) await mkdir(place, { recursive: true });
    }
  }
  return true;
}

type Laying = { readonly dir: string; readonly tree: string; readonly own: readonly string[] };

/** Only what the tree has in these folders, which are there in any case. */
export async function layPart(store: Store, { dir, tree, own }: Laying): Promise<void> {
  await Promise.all(own.map((path) => mkdir(join(dir, path), { recursive: true })));
  await store.withIndex(async (index) => {
    await readPart(store, { index, tree, own });
    const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
    await store.ask(["-c", "core.fsync=none", "checkout-index", "--force", "--all", "--quiet"], { cwd: dir, env });
  });
}

type Reading = { readonly index: string; readonly tree: string; readonly own: readonly string[] };

/** An index of what the tree has in these folders. */
export async function readPart(store: Store, { index, tree, own }: Reading): Promise<void> {
  const { out: input } = await store.ask(["ls-tree", "-r", "-z", "--full-tree", tree, "--", ...own]);
  await store.ask(["update-index", "-z", "--index-info"], { env: { GIT_INDEX_FILE: index }, input });
}
