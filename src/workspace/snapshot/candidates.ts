import { lstat, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { normalizePath } from "../repository/path-inside.ts";
import { MOST_OF_NAMES, requireFewer } from "./bounds.ts";

/** A path in the directory that may differ from the opened tree. */
export type SnapshotCandidate = {
  readonly path: string;
  /** The tree's entry at this path. */
  readonly was?: { readonly mode: string; readonly id: string };
  readonly gone: boolean;
  /** The name is not valid text, so no journal can contain it. */
  readonly nameless: boolean;
};

type IndexedFolder = { readonly dir: string; readonly index: string };

/** Tracked files that differ from the index, including files that were only touched. */
export async function listTrackedCandidates(
  store: GitStore,
  { dir, index }: IndexedFolder,
): Promise<SnapshotCandidate[]> {
  const args = ["diff-files", "-z", "--raw", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"];
  const { out } = await store.ask(args, { about: dir, env: { GIT_INDEX_FILE: index } });
  const fields = splitRecords(out);
  const found: SnapshotCandidate[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", , id = "", , status] = (fields[at] ?? Buffer.alloc(0)).toString("latin1").slice(1).split(" ");
    found.push({ ...parseName(fields[at + 1] ?? Buffer.alloc(0)), was: { mode, id }, gone: status === "D" });
  }
  return found;
}

/** Untracked files that no rule ignores; a nested repository is one entry. */
export async function listUntrackedCandidates(
  store: GitStore,
  place: IndexedFolder,
  rules: string,
): Promise<SnapshotCandidate[]> {
  const list = `${place.index}.${process.hrtime.bigint()}.ignore`;
  await writeFile(list, rules);
  try {
    const env = { GIT_INDEX_FILE: place.index };
    const asked = ["ls-files", "-z", "--others", "-X", list];
    const { out, cut } = await store.ask(asked, { about: place.dir, env, mostBytes: MOST_OF_NAMES });
    const names = splitRecords(out);
    requireFewer(names.length, cut);
    return names.map((name) => ({ ...parseName(name), gone: false }));
  } finally {
    await rm(list, { force: true });
  }
}

/** Lists untracked files, also ignored ones, that a pattern without wildcards names. */
export async function listNamedCandidates(
  store: GitStore,
  { dir, index }: IndexedFolder,
  globs: readonly string[],
): Promise<SnapshotCandidate[]> {
  const literal = globs.filter((glob) => !/[*?[{!]/.test(glob) && normalizePath(glob) === glob);
  const files = await Promise.all(
    literal.map(async (path) => (await lstat(join(dir, path)).catch(() => null))?.isFile()),
  );
  const there = literal.filter((_path, at) => files[at]);
  if (there.length === 0) return [];
  const env = { GIT_INDEX_FILE: index };
  const { out } = await store.ask(["ls-files", "-z", "--", ...there], { about: dir, env });
  const tracked = new Set(splitRecords(out).map((name) => name.toString("utf8")));
  return there.filter((path) => !tracked.has(path)).map((path) => ({ path, gone: false, nameless: false }));
}

function parseName(name: Buffer): { path: string; nameless: boolean } {
  const path = name.toString("utf8");
  return { path: path.replace(/\/$/, ""), nameless: !Buffer.from(path, "utf8").equals(name) };
}
