import type { ComposeOrder } from "../../core/ports/workspace.ts";
import { renderFiles } from "../attempt/render-files.ts";
import { listNewlyEmbedded } from "../repository/embedded-repositories.ts";
import { splitRecords } from "../repository/git.ts";
import { type GitStore, writeTree } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";

/** Composes a tree of two by ids and modes only: no file is opened, so no filter can change one. */
export async function composeTree(
  store: GitStore,
  tree: string,
  { from, paths, texts }: ComposeOrder,
): Promise<string> {
  const wanted = new Set(paths);
  const differing = await listDifferences(store, requireId(tree), requireId(from));
  const entries = differing.filter(({ path }) => wanted.has(path));
  const made = await replaceEntries(store, tree, entries);
  const inside = new Set(await listNewlyEmbedded(store, made, [tree, from]));
  const taken = entries.filter(({ path }) => !inside.has(path));
  const whole = taken.length === entries.length ? made : await replaceEntries(store, tree, taken);
  return renderFiles(store, whole, texts);
}

type TreeEntry = { readonly mode: string; readonly id: string; readonly path: string };

/** The entries of `from` that differ. */
async function listDifferences(store: GitStore, tree: string, from: string): Promise<readonly TreeEntry[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv"];
  const { out } = await store.ask([...args, tree, from]);
  const fields = splitRecords(out).map((record) => record.toString("utf8"));
  const entries: TreeEntry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", , id = ""] = (fields[at] ?? "").split(" ");
    entries.push({ mode, id, path: fields[at + 1] ?? "" });
  }
  return entries;
}

async function replaceEntries(store: GitStore, tree: string, entries: readonly TreeEntry[]): Promise<string> {
  if (entries.length === 0) return tree;
  // Deletions first, so that a file can replace a folder and vice versa.
  const ordered = [...entries.filter(isDeleted), ...entries.filter((entry) => !isDeleted(entry))];
  const input = ordered.map(({ mode, id, path }) => `${isDeleted({ mode }) ? "0" : mode} ${id}\t${path}\0`).join("");
  return store.withIndex(async (index) => {
    const env = { GIT_INDEX_FILE: index };
    await store.ask(["read-tree", tree], { env });
    await store.ask(["update-index", "--replace", "-z", "--index-info"], { env, input });
    return writeTree(store, index);
  });
}

function isDeleted({ mode }: Pick<TreeEntry, "mode">): boolean {
  return mode === "000000";
}
