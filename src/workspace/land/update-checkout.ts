import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { disableFilters } from "../read/checkout.ts";
import {
  type CommitRange,
  isSameEntry,
  parseRawChanges,
  type RangeChange,
  type RangeEntry,
} from "../read/commit-range.ts";
import { type DiskState, readDiskState } from "../read/disk-state.ts";
import type { GitOptions } from "../repository/git.ts";
import { splitRecords } from "../repository/git.ts";
import type { GitAnswer } from "../repository/git-process.ts";
import type { GitStore } from "../repository/git-store.ts";
import { listHalfWritten } from "./half-written-files.ts";

/** Why the checkout cannot be updated: the user's edits, or an error from git. */
export type CheckoutObstacle = {
  readonly cause: "edits" | "machine";
  readonly paths: readonly string[];
  readonly because: string;
};

/** The result of an update: the obstacle, if any, and the half-written files that it completed. */
export type CheckoutUpdated = { readonly obstacle?: CheckoutObstacle; readonly completed: readonly string[] };

type CheckoutTarget = { readonly store: GitStore; readonly index: string; readonly span: CommitRange };
type CheckoutUpdate = CheckoutTarget & { readonly config: Readonly<Record<string, string>> };
/** `finishing`: the branch has already moved, so a missing file was removed by the interrupted call. */
type UpdateMode = { readonly finishing: boolean };

/** Tests whether the checkout can move between two commits without losing anything. Changes nothing. */
export async function testUpdate(
  store: GitStore,
  range: CommitRange,
  mode: UpdateMode,
): Promise<CheckoutObstacle | undefined> {
  return store.withIndex((index) => updateFiles({ store, index, span: range }, { ...mode, pretend: true }));
}

/**
 * Updates exactly the changed files and their index entries; all other files stay, dirty or not. Files with the new
 * content are accepted, so the same call finishes an interrupted one. The caller holds the lock.
 * @rule A-13 (code) The user's index, stash and untracked files are the same after a run as before.
 */
export async function updateCheckout(store: GitStore, range: CommitRange, mode: UpdateMode): Promise<CheckoutUpdated> {
  const { gitDir } = store.repository;
  // In the git directory, so that it can replace the index by a rename; a leftover is overwritten.
  const index = join(gitDir, "signalbox-index");
  await Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
  const target = { store, index, span: range };
  const first = await updateFiles(target, { ...mode, pretend: false });
  const completed = mode.finishing && first ? await removeHalfWritten(target, first) : [];
  const obstacle = completed.length > 0 ? await updateFiles(target, { ...mode, pretend: false }) : first;
  if (obstacle === undefined) await rename(index, join(gitDir, "index"));
  else await rm(index, { force: true });
  return { completed, ...(obstacle ? { obstacle } : {}) };
}

/** Removes files that an interrupted call had started to write, if nothing else is in the way. Returns their paths. */
async function removeHalfWritten(
  target: CheckoutTarget,
  { cause, paths }: CheckoutObstacle,
): Promise<readonly string[]> {
  const { store, span } = target;
  if (cause === "machine" || paths.length === 0) return [];
  const config = await disableFilters(store.repository);
  const staged = await readDifferences({ ...target, config, index: join(store.repository.gitDir, "index") });
  const changes = span.changes.filter(({ path }) => paths.includes(path) && !staged.has(path));
  const halves = await listHalfWritten(store.repository.top, changes, async ({ path, id }) => {
    const args = ["cat-file", "--filters", `--path=${path}`, id];
    return (await runAsUser({ ...target, config }, args)).out;
  });
  if (halves.length < paths.length) return [];
  for (const path of halves) await rm(join(store.repository.top, path));
  return halves;
}

async function updateFiles(
  place: CheckoutTarget,
  mode: UpdateMode & { pretend: boolean },
): Promise<CheckoutObstacle | undefined> {
  const { repository } = place.store;
  const work = { ...place, config: await disableFilters(repository) };
  // A missing index counts as everything deleted, which the comparison reports.
  await copyFile(join(repository.gitDir, "index"), work.index).catch(ignoreMissing);
  const obstacle = await prepareIndex(work, mode);
  if (obstacle !== undefined) return obstacle;
  const { from, to } = work.span;
  const args = ["read-tree", "-m", "-u", ...(mode.pretend ? ["-n"] : []), from, to];
  // Git checks each file again before writing it, so concurrent edits are safe too.
  const answer = await runAsUser(work, args, { answers: [128] });
  if (answer.code === 0) return undefined;
  const cause = REFUSED.test(answer.err) ? "edits" : "machine";
  return { cause, paths: [], because: answer.err.trim() };
}

/** Git's messages when it would overwrite an edit; it has written nothing then. */
const REFUSED = /not uptodate|would be (?:overwritten|removed|lost)|would lose/;

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** Updates the copied index for files that have the old or the new content, and reports all others. */
async function prepareIndex(work: CheckoutUpdate, { finishing }: UpdateMode): Promise<CheckoutObstacle | undefined> {
  const { store, span: range } = work;
  const mine = range.changes.filter(({ path }) => !isKept(range, path));
  const staged = await readDifferences(work);
  const wrong = new Set(mine.filter((change) => !matchesIndex(change, staged)).map(({ path }) => path));
  const leaving = new Set(mine.filter(({ was }) => was !== undefined).map(({ path }) => path));
  const seen = await Promise.all(mine.map(({ path }) => readDiskState(store.repository.top, path, leaving)));
  const sparse = seen.includes("gone") ? await listSparse(work) : new Set();
  for (const [at, change] of mine.entries()) {
    const allowed = finishing || sparse.has(change.path);
    if (isBlocked(change, seen[at] ?? "gone", allowed)) wrong.add(change.path);
  }
  const files = mine.filter(({ path }, at) => seen[at] === "file" && !wrong.has(path));
  const refused = await addToIndex(work, files);
  if (refused !== undefined) return refused;
  const found = await readDifferences(work);
  for (const change of files) if (!matchesIndex(change, found)) wrong.add(change.path);
  await markKept(work);
  return wrong.size === 0
    ? undefined
    : { cause: "edits", paths: [...wrong].sort(), because: "these files have local changes" };
}

function isBlocked(change: RangeChange, seen: DiskState, allowed: boolean): boolean {
  if (seen === "gone") return change.was !== undefined && change.is !== undefined && !allowed;
  // A folder in place of a new file may contain only files that are deleted, so git decides.
  if (seen === "folder") return change.was !== undefined && change.is !== undefined;
  return seen !== "file";
}

/** The index has the old entry at this path, or the new one already. */
function matchesIndex({ path, is }: RangeChange, staged: ReadonlyMap<string, RangeEntry | undefined>): boolean {
  return !staged.has(path) || isSameEntry(staged.get(path), is);
}

async function readDifferences(work: CheckoutUpdate): Promise<Map<string, RangeEntry | undefined>> {
  const args = ["diff-index", "--cached", "-z", "--raw", "--no-renames", "--no-ext-diff", work.span.from];
  const { out } = await runAsUser(work, args);
  return new Map(parseRawChanges(out).map(({ path, is }) => [path, is]));
}

/** Files that a sparse checkout omits on purpose. */
async function listSparse(work: CheckoutUpdate): Promise<Set<string>> {
  const { out } = await runAsUser(work, ["ls-files", "-z", "-t"]);
  const rows = splitRecords(out).map((record) => record.toString("utf8"));
  return new Set(rows.filter((row) => row.startsWith("S ")).map((row) => row.slice(2)));
}

async function addToIndex(work: CheckoutUpdate, files: readonly RangeChange[]): Promise<CheckoutObstacle | undefined> {
  if (files.length === 0) return undefined;
  const { store } = work;
  // Uncommitted work that is hashed for the comparison must not enter the user's object store.
  const env = { GIT_OBJECT_DIRECTORY: join(store.dir, "objects") };
  const input = files.map(({ path }) => `${path}\0`).join("");
  const args = ["update-index", "-z", "--add", "--remove", "--ignore-skip-worktree-entries", "--stdin"];
  const answer = await runAsUser(work, args, { env, input, answers: [128] });
  return answer.code === 0 ? undefined : { cause: "machine", paths: [], because: answer.err.trim() };
}

/** With the new entry already in the index, git does not touch the file. */
async function markKept(work: CheckoutUpdate): Promise<void> {
  const kept = work.span.changes.filter(({ path }) => isKept(work.span, path));
  if (kept.length === 0) return;
  const none = "0".repeat(work.span.from.length);
  const input = kept.map(({ path, is }) => `${is?.mode ?? "0"} ${is?.id ?? none}\t${path}\0`).join("");
  await runAsUser(work, ["update-index", "-z", "--index-info"], { input });
}

function isKept({ kept }: CommitRange, path: string): boolean {
  return kept.some((name) => path === name || path.startsWith(`${name}/`));
}

/** Uses the user's settings for line endings and sparse checkout, which are git's own code, but not their programs. */
function runAsUser(
  work: CheckoutUpdate,
  args: readonly string[],
  options: Omit<GitOptions, "cwd"> = {},
): Promise<GitAnswer> {
  const { repository } = work.store;
  const settings = { ...repository.lineEnds, "core.safecrlf": "false", "core.untrackedCache": "keep" };
  const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const { config } = work;
  const env = { GIT_INDEX_FILE: work.index, ...options.env };
  return repository.ask([...given, ...args], { ...options, config, env });
}
