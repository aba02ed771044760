import { splitRecords } from "./git.ts";
import type { GitStore } from "./git-store.ts";

type PathChange = { readonly path: string; readonly gone: boolean };
type SortedChanges<C> = { readonly taken: readonly C[]; readonly inside: readonly C[] };

/**
 * Separates changes in folders that would become git repositories, whatever their names, once the changes are in the
 * index. Calling git in such a folder would run what its settings name.
 */
export async function separateEmbedded<C extends PathChange>(
  store: GitStore,
  index: string,
  changes: readonly C[],
): Promise<SortedChanges<C>> {
  if (changes.length === 0) return { taken: [], inside: [] };
  const changed = new Set(changes.flatMap(({ path }) => listFolders(foldName(path))));
  const heads = listResultPaths(await listIndex(store, index, [":(icase,glob)**/head*"]), changes).filter(isHeadFile);
  const asked = new Set(heads.map(getFolder).filter((folder) => changed.has(folder)));
  if (asked.size === 0) return { taken: changes, inside: [] };
  const embedded = findRepositories(asked, listResultPaths(await listIndex(store, index, []), changes));
  const isInside = ({ path }: C) => listFolders(foldName(path)).some((folder) => embedded.has(folder));
  return { taken: changes.filter((each) => !isInside(each)), inside: changes.filter(isInside) };
}

/**
 * Lists files of folders in a tree that git would take for a repository, unless one of the source trees contains the
 * same folder: two harmless halves can form one together. Existing ones are not reported.
 */
export async function listNewlyEmbedded(
  store: GitStore,
  tree: string,
  sides: readonly string[],
): Promise<readonly string[]> {
  const entries = await listEntriesIn(store, tree);
  const names = entries.map(({ path }) => foldName(path));
  const folders = findRepositories(new Set(names.filter(isHeadFile).map(getFolder)), names);
  if (folders.size === 0) return [];
  const before = await Promise.all(sides.map((side) => listEntriesIn(store, side)));
  const isNew = (folder: string) => before.every((side) => joinContent(folder, side) !== joinContent(folder, entries));
  const found = [...folders].filter(isNew);
  return entries.flatMap(({ path }) => (found.some((folder) => isPathBelow(folder, path)) ? [path] : []));
}

type ListedEntry = { readonly path: string; readonly text: string };

async function listEntriesIn(store: GitStore, tree: string): Promise<readonly ListedEntry[]> {
  const { out } = await store.ask(["ls-tree", "-r", "-z", "--full-tree", tree]);
  const texts = splitRecords(out).map((record) => record.toString("utf8"));
  return texts.map((text) => ({ text, path: text.slice(text.indexOf("\t") + 1) }));
}

function joinContent(folder: string, entries: readonly ListedEntry[]): string {
  return entries.flatMap(({ path, text }) => (isPathBelow(folder, path) ? [text] : [])).join("\0");
}

function isPathBelow(folder: string, path: string): boolean {
  return foldName(path).startsWith(`${folder}/`);
}

async function listIndex(store: GitStore, index: string, specs: readonly string[]): Promise<readonly string[]> {
  const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: "0" };
  const { out } = await store.ask(["ls-files", "-z", "--", ...specs], { env });
  return splitRecords(out).map((name) => name.toString("utf8"));
}

/** The paths in the resulting tree. */
function listResultPaths(before: readonly string[], changes: readonly PathChange[]): readonly string[] {
  const gone = new Set(changes.flatMap(({ path, gone }) => (gone ? [path] : [])));
  const here = changes.flatMap(({ path, gone }) => (gone ? [] : [path]));
  return [...before.filter((path) => !gone.has(path)), ...here].map(foldName);
}

/** Returns the folders with a HEAD that have everything else git checks for, of any type, because links suffice. */
function findRepositories(folders: ReadonlySet<string>, files: readonly string[]): ReadonlySet<string> {
  const there = new Set([...files, ...files.flatMap(listFolders)]);
  const has = (folder: string, name: string) => there.has(`${folder}/${name}`);
  const isRepository = (folder: string) => has(folder, "commondir") || (has(folder, "objects") && has(folder, "refs"));
  return new Set([...folders].filter(isRepository));
}

function isHeadFile(path: string): boolean {
  return path.endsWith("/head");
}

function getFolder(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** Normalizes names that some file systems treat as equal. */
function foldName(path: string): string {
  return path
    .split("/")
    .map((part) => part.toLowerCase().replace(/[ .]+$/, ""))
    .join("/");
}

/** Excludes the top folder, where git finds the checkout's own `.git` first. */
function listFolders(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join("/"));
}
