import type { ComposeOrder } from "../../core/ports/workspace.ts";
import { renderInto } from "../attempt/render.ts";
import { newlyEmbedded } from "../repository/embedded-repositories.ts";
import { records } from "../repository/git.ts";
import { type Store, writeTree } from "../repository/store.ts";
import { needsId } from "../repository/tree-id.ts";

/** One tree out of two, by ids and modes alone: no file is opened, so no filter can change one. */
export async function composeTree(store: Store, tree: string, { from, paths, texts }: ComposeOrder): Promise<string> {
  const wanted = new Set(paths);
  const differing = await entriesBetween(store, needsId(tree), needsId(from));
  const entries = differing.filter(({ path }) => wanted.has(path));
  const made = await withEntries(store, tree, entries);
  const inside = new Set(await newlyEmbedded(store, made, [tree, from]));
  const taken = entries.filter(({ path }) => !inside.has(path));
  const whole = taken.length === entries.length ? made : await withEntries(store, tree, taken);
  return renderInto(store, whole, texts);
}

type Entry = { readonly mode: string; readonly id: string; readonly path: string };

/** What `from` has wherever the two differ. */
async function entriesBetween(store: Store, tree: string, from: string): Promise<readonly Entry[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv"];
  const { out } = await store.ask([...args, tree, from]);
  const fields = records(out).map((record) => record.toString("utf8"));
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", , id = ""] = (fields[at] ?? "").split(" ");
    entries.push({ mode, id, path: fields[at + 1] ?? "" });
  }
  return entries;
}

async function withEntries(store: Store, tree: string, entries: readonly Entry[]): Promise<string> {
  if (entries.length === 0) return tree;
  // First what goes: a file can then stand where a folder was, and the other way round.
  const ordered = [...entries.filter(isGone), ...entries.filter((entry) => !isGone(entry))];
  const input = ordered.map(({ mode, id, path }) => `${isGone({ mode }) ? "0" : mode} ${id}\t${path}\0`).join("");
  return store.withIndex(async (index) => {
    const env = { GIT_INDEX_FILE: index };
    await store.ask(["read-tree", tree], { env });
    await store.ask(["update-index", "--replace", "-z", "--index-info"], { env, input });
    return writeTree(store, index);
  });
}

function isGone({ mode }: Pick<Entry, "mode">): boolean {
  return mode === "000000";
}
