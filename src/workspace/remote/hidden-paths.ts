import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listTreeFiles } from "../read/files.ts";
import type { GitStore } from "../repository/git-store.ts";
import { flattenRules, readIgnoreFilesCached } from "../snapshot/ignore-rules.ts";
import type { RunCheckout } from "./checkout-record.ts";

/** Signalbox's own files in the checkout are not uncommitted work. */
const OWN_FOLDER = ".signalbox/";

/**
 * Returns the paths that git would not report in such a checkout: not committed, and ignored by the commit's rules or
 * below one of the books.
 */
export async function listHiddenPaths(
  store: GitStore,
  now: RunCheckout,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const committed = new Set(await listTreeFiles(store, now.head.tree, ""));
  const own = paths.filter((path) => !committed.has(path));
  if (own.length === 0) return new Set();
  return new Set([...own.filter((path) => isBook(now, path)), ...(await listIgnored(store, now.head.tree, own))]);
}

async function listIgnored(store: GitStore, tree: string, paths: readonly string[]): Promise<readonly string[]> {
  const rules = await readRules(store, tree);
  const dir = await mkdtemp(join(store.dir, "scratch", "rules-"));
  try {
    await writeFile(join(dir, "list"), rules);
    const args = ["check-ignore", "--no-index", "-z", "--stdin"];
    // This command does not take names literally; after a leading `./` no name has a special meaning.
    const env = { GIT_WORK_TREE: dir, GIT_LITERAL_PATHSPECS: "0" };
    const config = { "core.excludesFile": join(dir, "list") };
    const input = paths.map((path) => `./${path}\0`).join("");
    const { out } = await store.ask(args, { cwd: dir, env, config, input, answers: [1] });
    return out
      .toString("utf8")
      .split("\0")
      .filter(Boolean)
      .map((path) => path.slice("./".length));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function isBook({ books }: RunCheckout, path: string): boolean {
  return path.startsWith(OWN_FOLDER) || books.some((book) => path === book || path.startsWith(`${book}/`));
}

function readRules(store: GitStore, tree: string): Promise<string> {
  return store.withIndex(async (index) => {
    await store.ask(["read-tree", tree], { env: { GIT_INDEX_FILE: index } });
    return flattenRules(await readIgnoreFilesCached(store, tree, index));
  });
}
