import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Part, Snapshot, SnapshotOptions } from "../../core/ports/workspace.ts";
import { readOutside } from "../../node/outside-file.ts";
import { noteOf } from "../attempt/attempt-note.ts";
import { apartFromEmbedded } from "../repository/embedded-repositories.ts";
import { needsNoStandstill } from "../repository/standstills.ts";
import type { IgnoreFile, Store } from "../repository/store.ts";
import { needsId } from "../repository/tree-id.ts";
import { indexOf } from "../warm/idle-folder.ts";
import { readPart } from "../warm/part-of-tree.ts";
import { MOST_OF_RULES, needsBounds, needsShortRules } from "./bounds.ts";
import { type Candidate, namedCandidates, trackedCandidates, untrackedCandidates } from "./candidates.ts";
import { flattenRules, ignoredFolder, ignoreFilesOf, ruleFor } from "./ignore-rules.ts";
import { judge } from "./takeable.ts";
import { putInto } from "./update-index.ts";
import { mayWrite } from "./write-scope.ts";

type IndexedFolder = {
  readonly dir: string;
  readonly index: string;
  /** Where only a part of the tree is in it: an index of all. */
  readonly whole?: string;
};
type Sorted = { readonly taken: readonly Candidate[]; readonly outside: readonly string[] };

/** How many files are open at once. */
const READERS = 64;

/** Never through the directory's own .git: an agent may have rewritten it. */
export async function takeSnapshot(store: Store, dir: string, options: SnapshotOptions): Promise<Snapshot> {
  const opened = needsId(options.opened);
  const onto = needsId(options.onto);
  const folder = await needsFolder(dir);
  await needsNoStandstill(dir);
  const taken = await taking(store, dir, { ...options, opened, onto });
  // A folder that went meanwhile looks like one in which everything was deleted, or nothing done.
  if ((await needsFolder(dir)) !== folder) throw notTheFolder(dir);
  return taken;
}

async function taking(store: Store, dir: string, options: SnapshotOptions): Promise<Snapshot> {
  const { opened } = options;
  const part = (await noteOf(store, dir))?.part;
  if (part) return takingPart(store, { dir, part }, options);
  const known = indexOf(store, dir, opened);
  if (existsSync(known)) {
    const taken = await snapshotWith(store, { dir, index: known }, options).catch(goneOr(known));
    // To git an index that is not there is an empty one.
    if (taken && existsSync(known)) return taken;
  }
  // Opened by an engine that is gone: without what it knew about the files, all of them are read.
  return store.withIndex(async (index) => {
    await store.ask(["read-tree", opened], { env: { GIT_INDEX_FILE: index } });
    return snapshotWith(store, { dir, index }, options);
  });
}

/** What of the tree is not there was never for this one to change. */
async function takingPart(
  store: Store,
  { dir, part }: { readonly dir: string; readonly part: Part },
  options: SnapshotOptions,
): Promise<Snapshot> {
  const { opened } = options;
  return store.withIndex((whole) =>
    store.withIndex(async (index) => {
      await Promise.all([
        store.ask(["read-tree", opened], { env: { GIT_INDEX_FILE: whole } }),
        readPart(store, { index, tree: opened, own: part.own }),
      ]);
      return snapshotWith(store, { dir, index, whole }, options);
    }),
  );
}

function goneOr(index: string): (error: unknown) => undefined {
  return (error) => {
    if (existsSync(index)) throw error;
  };
}

async function snapshotWith(store: Store, place: IndexedFolder, options: SnapshotOptions): Promise<Snapshot> {
  return store.withIndex(async (result) => {
    const [sorted] = await Promise.all([
      sortOut(store, place, options),
      // Without what is known about files on disk: git would compare all of them again to write the index.
      store.ask(["read-tree", options.onto], { env: { GIT_INDEX_FILE: result } }),
    ]);
    const { taken, inside } = await apartFromEmbedded(store, result, sorted.taken);
    const outside = [...sorted.outside, ...inside.map(({ path }) => path)];
    if (taken.length === 0) return { tree: options.onto, changed: [], outside: outside.sort() };
    const { tree, refused } = await putInto(store, { dir: place.dir, index: result }, taken);
    const changed = taken.map((candidate) => candidate.path).filter((path) => !refused.has(path));
    return { tree, changed: changed.sort(), outside: [...outside, ...refused].sort() };
  });
}

/**
 * Ignored files are not taken and not reported: installed packages and build output. The rules are those of the tree
 * that comes out: an ignore file that is not taken has no say, so nothing is hidden by a file that nobody gets to see.
 */
async function sortOut(store: Store, place: IndexedFolder, options: SnapshotOptions): Promise<Sorted> {
  const ignoring = ignoreFilesOf(store, options.opened, place.whole ?? place.index);
  const ignored = (files: readonly IgnoreFile[]): string =>
    // Last, because later rules win: no rule of the tree brings what the engine laid into it.
    [flattenRules(files), ...(options.laid ?? []).map(ruleFor)].join("\n");
  const [rules, tracked, named, others] = await Promise.all([
    ignoring,
    trackedCandidates(store, place),
    namedCandidates(store, place, options.writes ?? []),
    ignoring.then((files) => untrackedCandidates(store, place, ignored(files))),
  ]);
  const untracked = withNamed(others, named);
  const sorted = await decide(store, place, { candidates: [...tracked, ...untracked], options });
  const changed = sorted.taken.filter((candidate) => ignoredFolder(candidate.path) !== undefined);
  if (changed.length === 0) return sorted;
  await needsBounds(
    place.dir,
    changed.flatMap(({ path, gone }) => (gone ? [] : [path])),
  );
  const after = ignored(rulesAfter(place.dir, rules, changed));
  const left = withNamed(await untrackedCandidates(store, place, after), named);
  return decide(store, place, { candidates: [...tracked, ...left], options });
}

/** A file that was asked for by its very name is wanted, whatever is ignored. */
function withNamed(untracked: readonly Candidate[], named: readonly Candidate[]): readonly Candidate[] {
  const known = new Set(untracked.map(({ path }) => path));
  return [...untracked, ...named.filter(({ path }) => !known.has(path))];
}

function rulesAfter(dir: string, before: readonly IgnoreFile[], changed: readonly Candidate[]) {
  const rules = new Map(before.map((file) => [file.folder, file.text]));
  for (const { path, gone } of changed) {
    const text = gone ? "" : rulesIn(dir, path);
    needsShortRules(path, text);
    rules.set(ignoredFolder(path) ?? "", text);
  }
  return [...rules].map(([folder, text]) => ({ folder, text }));
}

/** A link has none: git does not follow it either. */
function rulesIn(dir: string, path: string): string {
  const read = readOutside(join(dir, path), MOST_OF_RULES);
  return read.ok ? read.text : "";
}

type Decide = { readonly candidates: readonly Candidate[]; readonly options: SnapshotOptions };

async function decide(store: Store, place: IndexedFolder, { candidates, options }: Decide): Promise<Sorted> {
  const taken: Candidate[] = [];
  const left: Candidate[] = [];
  for (let at = 0; at < candidates.length; at += READERS) {
    const some = candidates.slice(at, at + READERS);
    const judged = await Promise.all(some.map((each) => judge(store, place, each)));
    for (const [nth, candidate] of some.entries()) {
      if (judged[nth] === "same") continue;
      const takes = judged[nth] === "changed" && mayWrite(candidate.path, options);
      (takes ? taken : left).push(candidate);
    }
  }
  const blocked = blockedBy(left);
  return {
    taken: taken.filter((candidate) => candidate.gone || !blocked(candidate.path)),
    outside: [...left, ...taken.filter((candidate) => !candidate.gone && blocked(candidate.path))].map(
      ({ path }) => path,
    ),
  };
}

/** A file cannot come where one that stays is in the way: neither below its name nor in place of its folder. */
function blockedBy(left: readonly Candidate[]): (path: string) => boolean {
  const staying = new Set(left.filter(({ was }) => was !== undefined).map(({ path }) => path));
  const folders = new Set([...staying].flatMap(foldersOf));
  return (path) => folders.has(path) || foldersOf(path).some((folder) => staying.has(folder));
}

function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join("/"));
}

/** What tells it from another one of its name. */
async function needsFolder(dir: string): Promise<string> {
  const found = await lstat(dir).catch(() => undefined);
  if (found?.isDirectory()) return `${found.dev}:${found.ino}`;
  throw notTheFolder(dir);
}

function notTheFolder(dir: string): SignalboxError {
  return new SignalboxError(
    "INPUT_INVALID",
    `${dir} is not the folder any more that was opened, so there is nothing to take from it`,
    "The agent moved or removed its own folder; dispatch it again.",
  );
}
