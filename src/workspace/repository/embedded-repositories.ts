import { records } from "./git.ts";
import type { Store } from "./store.ts";

type Change = { readonly path: string; readonly gone: boolean };
type Sorted<C> = { readonly taken: readonly C[]; readonly inside: readonly C[] };

/**
 * Apart from the rest: changes in folders that git would take for a repository of its own, whatever they are called, once
 * the changes are in the tree of the index. Whoever calls git in such a folder runs what its settings name.
 */
export async function apartFromEmbedded<C extends Change>(
  store: Store,
  index: string,
  changes: readonly C[],
): Promise<Sorted<C>> {
  if (changes.length === 0) return { taken: [], inside: [] };
  const changed = new Set(changes.flatMap(({ path }) => foldersOf(folded(path))));
  const heads = outcome(await listed(store, index, [":(icase,glob)**/head*"]), changes).filter(isHead);
  const asked = new Set(heads.map(folderOf).filter((folder) => changed.has(folder)));
  if (asked.size === 0) return { taken: changes, inside: [] };
  const embedded = repositoriesOf(asked, outcome(await listed(store, index, []), changes));
  const isInside = ({ path }: C) => foldersOf(folded(path)).some((folder) => embedded.has(folder));
  return { taken: changes.filter((each) => !isInside(each)), inside: changes.filter(isInside) };
}

/**
 * The files of folders in a tree that git would take for a repository, where none of the trees that it was made of has
 * that folder as it is: two halves, each harmless, make one together. What was there before is nobody's news.
 */
export async function newlyEmbedded(store: Store, tree: string, sides: readonly string[]): Promise<readonly string[]> {
  const entries = await entriesIn(store, tree);
  const names = entries.map(({ path }) => folded(path));
  const folders = repositoriesOf(new Set(names.filter(isHead).map(folderOf)), names);
  if (folders.size === 0) return [];
  const before = await Promise.all(sides.map((side) => entriesIn(store, side)));
  const isNew = (folder: string) => before.every((side) => contentOf(folder, side) !== contentOf(folder, entries));
  const found = [...folders].filter(isNew);
  return entries.flatMap(({ path }) => (found.some((folder) => isBelow(folder, path)) ? [path] : []));
}

type Entry = { readonly path: string; readonly text: string };

async function entriesIn(store: Store, tree: string): Promise<readonly Entry[]> {
  const { out } = await store.ask(["ls-tree", "-r", "-z", "--full-tree", tree]);
  const texts = records(out).map((record) => record.toString("utf8"));
  return texts.map((text) => ({ text, path: text.slice(text.indexOf("\t") + 1) }));
}

function contentOf(folder: string, entries: readonly Entry[]): string {
  return entries.flatMap(({ path, text }) => (isBelow(folder, path) ? [text] : [])).join("\0");
}

function isBelow(folder: string, path: string): boolean {
  return folded(path).startsWith(`${folder}/`);
}

async function listed(store: Store, index: string, specs: readonly string[]): Promise<readonly string[]> {
  const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: "0" };
  const { out } = await store.ask(["ls-files", "-z", "--", ...specs], { env });
  return records(out).map((name) => name.toString("utf8"));
}

/** What is in the tree in the end. */
function outcome(before: readonly string[], changes: readonly Change[]): readonly string[] {
  const gone = new Set(changes.flatMap(({ path, gone }) => (gone ? [path] : [])));
  const here = changes.flatMap(({ path, gone }) => (gone ? [] : [path]));
  return [...before.filter((path) => !gone.has(path)), ...here].map(folded);
}

/** Those of the folders, all with a HEAD, that have what else git looks for: of any kind, because a link will do. */
function repositoriesOf(folders: ReadonlySet<string>, files: readonly string[]): ReadonlySet<string> {
  const there = new Set([...files, ...files.flatMap(foldersOf)]);
  const has = (folder: string, name: string) => there.has(`${folder}/${name}`);
  const isRepository = (folder: string) => has(folder, "commondir") || (has(folder, "objects") && has(folder, "refs"));
  return new Set([...folders].filter(isRepository));
}

function isHead(path: string): boolean {
  return path.endsWith("/head");
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** One name for all that some file system takes for the same. */
function folded(path: string): string {
  return path
    .split("/")
    .map((part) => part.toLowerCase().replace(/[ .]+$/, ""))
    .join("/");
}

/** Without the top, where git finds the checkout's own `.git` first. */
function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join("/"));
}
