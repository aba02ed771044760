import type { TextMention } from "../../core/ports/workspace.ts";
import type { GitStore } from "../repository/git-store.ts";
import { listTreeEntries } from "./files.ts";

/** Limit on the number of links. */
const MOST_LINKS = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Returns each symbolic link of the tree as a line with its quoted target, because `git grep` does not search links.
 */
export async function listLinkMentions(store: GitStore, tree: string): Promise<readonly TextMention[]> {
  const links = (await listTreeEntries(store, ["-r", tree]))
    .filter(({ mode }) => mode === "120000")
    .slice(0, MOST_LINKS);
  if (links.length === 0) return [];
  const input = `${links.map(({ id }) => id).join("\n")}\n`;
  const { out } = await store.ask(["cat-file", "--batch"], { input, mostBytes: MOST_BYTES });
  let from = 0;
  return links.flatMap(({ path }) => {
    // `id blob size`, a line feed, the bytes, a line feed.
    const end = out.indexOf("\n", from);
    if (end < 0) return [];
    const size = Number(out.toString("utf8", from, end).split(" ").at(-1));
    from = end + size + 2;
    return [{ path, text: `"${out.toString("utf8", end + 1, end + 1 + size)}"` }];
  });
}
