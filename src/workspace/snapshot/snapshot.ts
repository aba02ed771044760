import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { FolderPart, Snapshot, SnapshotOptions } from "../../core/ports/workspace.ts";
import { readOutside } from "../../node/outside-file.ts";
import { findNote } from "../attempt/attempt-note.ts";
import { refuseBlockingFiles } from "../repository/blocking-files.ts";
import { separateEmbedded } from "../repository/embedded-repositories.ts";
import type { GitStore, IgnoreFile } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import { getIndexPath } from "../warm/idle-folder.ts";
import { readPartIndex } from "../warm/part-of-tree.ts";
import { MOST_OF_RULES, requireBounds, requireShortRules } from "./bounds.ts";
import {
  listNamedCandidates,
  listTrackedCandidates,
  listUntrackedCandidates,
  type SnapshotCandidate,
} from "./candidates.ts";
import { flattenRules, formatRule, getIgnoredFolder, readIgnoreFilesCached } from "./ignore-rules.ts";
import { judgeCandidate } from "./judge-candidate.ts";
import { updateIndex } from "./update-index.ts";
import { mayWrite } from "./write-scope.ts";

type IndexedFolder = {
  readonly dir: string;
  readonly index: string;
  /** The index of the whole tree, if the folder contains only a part. */
  readonly whole?: string;
};
type SortedCandidates = { readonly taken: readonly SnapshotCandidate[]; readonly outside: readonly string[] };

/** Number of files open at once. */
const READERS = 64;

/** Never uses the directory's own .git, which an agent may have changed. */
export async function takeSnapshot(store: GitStore, dir: string, options: SnapshotOptions): Promise<Snapshot> {
  const opened = requireId(options.opened);
  const onto = requireId(options.onto);
  const folder = await requireFolder(dir);
  await refuseBlockingFiles(dir);
  const taken = await snapshotFolder(store, dir, { ...options, opened, onto });
  // A folder that was removed meanwhile looks like one with all files deleted or without changes.
  if ((await requireFolder(dir)) !== folder) throw createFolderChangedError(dir);
  return taken;
}

async function snapshotFolder(store: GitStore, dir: string, options: SnapshotOptions): Promise<Snapshot> {
  const { opened } = options;
  const part = (await findNote(store, dir))?.part;
  if (part) return snapshotPart(store, { dir, part }, options);
  const known = getIndexPath(store, dir, opened);
  if (existsSync(known)) {
    const taken = await snapshotIndexed(store, { dir, index: known }, options).catch(createMissingHandler(known));
    // Git treats a missing index as empty.
    if (taken && existsSync(known)) return taken;
  }
  // The folder was opened by an engine that is gone. Without its index all files are read.
  return store.withIndex(async (index) => {
    await store.ask(["read-tree", opened], { env: { GIT_INDEX_FILE: index } });
    return snapshotIndexed(store, { dir, index }, options);
  });
}

/** Paths of the tree outside this part are not changed. */
async function snapshotPart(
  store: GitStore,
  { dir, part }: { readonly dir: string; readonly part: FolderPart },
  options: SnapshotOptions,
): Promise<Snapshot> {
  const { opened } = options;
  return store.withIndex((whole) =>
    store.withIndex(async (index) => {
      await Promise.all([
        store.ask(["read-tree", opened], { env: { GIT_INDEX_FILE: whole } }),
        readPartIndex(store, { index, tree: opened, own: part.own }),
      ]);
      return snapshotIndexed(store, { dir, index, whole }, options);
    }),
  );
}

function createMissingHandler(index: string): (error: unknown) => undefined {
  return (error) => {
    if (existsSync(index)) throw error;
  };
}

async function snapshotIndexed(store: GitStore, place: IndexedFolder, options: SnapshotOptions): Promise<Snapshot> {
  return store.withIndex(async (result) => {
    const [sorted] = await Promise.all([
      selectCandidates(store, place, options),
      // Reads the tree without stat data: git would compare all files again to write the index.
      store.ask(["read-tree", options.onto], { env: { GIT_INDEX_FILE: result } }),
    ]);
    const { taken, inside } = await separateEmbedded(store, result, sorted.taken);
    const outside = [...sorted.outside, ...inside.map(({ path }) => path)];
    if (taken.length === 0) return { tree: options.onto, changed: [], outside: outside.sort() };
    const { tree, refused } = await updateIndex(store, { dir: place.dir, index: result }, taken);
    const changed = taken.map((candidate) => candidate.path).filter((path) => !refused.has(path));
    return { tree, changed: changed.sort(), outside: [...outside, ...refused].sort() };
  });
}

/**
 * Ignored files, such as installed packages and build output, are neither included nor reported. The rules come from
 * the resulting tree: an ignore file that is not included has no effect, so a file that nobody reviews hides nothing.
 */
async function selectCandidates(
  store: GitStore,
  place: IndexedFolder,
  options: SnapshotOptions,
): Promise<SortedCandidates> {
  const ignoring = readIgnoreFilesCached(store, options.opened, place.whole ?? place.index);
  const joinRules = (files: readonly IgnoreFile[]): string =>
    // Last, because later rules win: the tree's rules cannot include files that the engine placed there.
    [flattenRules(files), ...(options.laid ?? []).map(formatRule)].join("\n");
  const [rules, tracked, named, others] = await Promise.all([
    ignoring,
    listTrackedCandidates(store, place),
    listNamedCandidates(store, place, options.writes ?? []),
    ignoring.then((files) => listUntrackedCandidates(store, place, joinRules(files))),
  ]);
  const untracked = addNamed(others, named);
  const sorted = await decideCandidates(store, place, { candidates: [...tracked, ...untracked], options });
  const changed = sorted.taken.filter((candidate) => getIgnoredFolder(candidate.path) !== undefined);
  if (changed.length === 0) return sorted;
  await requireBounds(
    place.dir,
    changed.flatMap(({ path, gone }) => (gone ? [] : [path])),
  );
  const after = joinRules(updateRules(place.dir, rules, changed));
  const left = addNamed(await listUntrackedCandidates(store, place, after), named);
  return decideCandidates(store, place, { candidates: [...tracked, ...left], options });
}

/** A file that was requested by name is included even if it is ignored. */
function addNamed(
  untracked: readonly SnapshotCandidate[],
  named: readonly SnapshotCandidate[],
): readonly SnapshotCandidate[] {
  const known = new Set(untracked.map(({ path }) => path));
  return [...untracked, ...named.filter(({ path }) => !known.has(path))];
}

function updateRules(dir: string, before: readonly IgnoreFile[], changed: readonly SnapshotCandidate[]) {
  const rules = new Map(before.map((file) => [file.folder, file.text]));
  for (const { path, gone } of changed) {
    const text = gone ? "" : readFolderRules(dir, path);
    requireShortRules(path, text);
    rules.set(getIgnoredFolder(path) ?? "", text);
  }
  return [...rules].map(([folder, text]) => ({ folder, text }));
}

/** A link has no rules, because git does not follow it either. */
function readFolderRules(dir: string, path: string): string {
  const read = readOutside(join(dir, path), MOST_OF_RULES);
  return read.ok ? read.text : "";
}

type DecideOrder = { readonly candidates: readonly SnapshotCandidate[]; readonly options: SnapshotOptions };

async function decideCandidates(
  store: GitStore,
  place: IndexedFolder,
  { candidates, options }: DecideOrder,
): Promise<SortedCandidates> {
  const taken: SnapshotCandidate[] = [];
  const left: SnapshotCandidate[] = [];
  for (let at = 0; at < candidates.length; at += READERS) {
    const some = candidates.slice(at, at + READERS);
    const judged = await Promise.all(some.map((each) => judgeCandidate(store, place, each)));
    for (const [nth, candidate] of some.entries()) {
      if (judged[nth] === "same") continue;
      const takes = judged[nth] === "changed" && mayWrite(candidate.path, options);
      (takes ? taken : left).push(candidate);
    }
  }
  const blocked = createBlockCheck(left);
  return {
    taken: taken.filter((candidate) => candidate.gone || !blocked(candidate.path)),
    outside: [...left, ...taken.filter((candidate) => !candidate.gone && blocked(candidate.path))].map(
      ({ path }) => path,
    ),
  };
}

/** Creates a check for paths that cannot be added: below a file that stays, or in place of a folder that stays. */
function createBlockCheck(left: readonly SnapshotCandidate[]): (path: string) => boolean {
  const staying = new Set(left.filter(({ was }) => was !== undefined).map(({ path }) => path));
  const folders = new Set([...staying].flatMap(listParentFolders));
  return (path) => folders.has(path) || listParentFolders(path).some((folder) => staying.has(folder));
}

function listParentFolders(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join("/"));
}

/** Identifies the folder, to detect a replacement of the same name. */
async function requireFolder(dir: string): Promise<string> {
  const found = await lstat(dir).catch(() => undefined);
  if (found?.isDirectory()) return `${found.dev}:${found.ino}`;
  throw createFolderChangedError(dir);
}

function createFolderChangedError(dir: string): SignalboxError {
  return new SignalboxError(
    "INPUT_INVALID",
    `${dir} is no longer the folder that was opened, so no changes can be taken from it`,
    "The agent moved or removed its folder; dispatch it again.",
  );
}
