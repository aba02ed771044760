import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { withoutFilters } from "../read/checkout.ts";
import { type CommitRange, type Entry, type RangeChange, rawChanges, sameEntry } from "../read/commit-range.ts";
import { type OnDisk, seeOnDisk } from "../read/on-disk.ts";
import type { GitOptions } from "../repository/git.ts";
import { records } from "../repository/git.ts";
import type { GitAnswer } from "../repository/git-process.ts";
import type { Store } from "../repository/store.ts";
import { listHalfWritten } from "./half-written.ts";

/** What keeps the checkout from following its branch: the user's own changes, or git's reason. */
export type Obstacle = {
  readonly cause: "edits" | "machine";
  readonly paths: readonly string[];
  readonly because: string;
};

/** What became of an update: why it did not come to its end, or which half-written files it has completed. */
export type CheckoutUpdated = { readonly obstacle?: Obstacle; readonly completed: readonly string[] };

type CheckoutTarget = { readonly store: Store; readonly index: string; readonly span: CommitRange };
type CheckoutUpdate = CheckoutTarget & { readonly config: Readonly<Record<string, string>> };
/** `finishing`: the branch has moved before, so a file that is missing was taken away by the call that was cut off. */
type Mode = { readonly finishing: boolean };

/** Would the checkout follow from one commit to the other without losing anything? Changes nothing. */
export async function rehearseCheckout(store: Store, range: CommitRange, mode: Mode): Promise<Obstacle | undefined> {
  return store.withIndex((index) => follow({ store, index, span: range }, { ...mode, pretend: true }));
}

/**
 * Brings exactly the changed files and their index entries from one commit to the other; everything else stays, dirty
 * or not. Files that are there already are accepted, so the same call finishes what a killed one began. Needs the lock.
 * @rule A-13 (code) The user's index, stash and untracked files are after a run what they were before.
 */
export async function updateCheckout(store: Store, range: CommitRange, mode: Mode): Promise<CheckoutUpdated> {
  const { gitDir } = store.repository;
  // In the git directory, where it can take the index's place at once; left over, it is used again.
  const index = join(gitDir, "signalbox-index");
  await Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
  const target = { store, index, span: range };
  const first = await follow(target, { ...mode, pretend: false });
  const completed = mode.finishing && first ? await removeHalfWritten(target, first) : [];
  const obstacle = completed.length > 0 ? await follow(target, { ...mode, pretend: false }) : first;
  if (obstacle === undefined) await rename(index, join(gitDir, "index"));
  else await rm(index, { force: true });
  return { completed, ...(obstacle ? { obstacle } : {}) };
}

/** Removes what a cut-off call had begun to write, where nothing else is in the way. Returns the paths. */
async function removeHalfWritten(target: CheckoutTarget, { cause, paths }: Obstacle): Promise<readonly string[]> {
  const { store, span } = target;
  if (cause === "machine" || paths.length === 0) return [];
  const config = await withoutFilters(store.repository);
  const staged = await differences({ ...target, config, index: join(store.repository.gitDir, "index") });
  const changes = span.changes.filter(({ path }) => paths.includes(path) && !staged.has(path));
  const halves = await listHalfWritten(store.repository.top, changes, async ({ path, id }) => {
    const args = ["cat-file", "--filters", `--path=${path}`, id];
    return (await asUser({ ...target, config }, args)).out;
  });
  if (halves.length < paths.length) return [];
  for (const path of halves) await rm(join(store.repository.top, path));
  return halves;
}

async function follow(place: CheckoutTarget, mode: Mode & { pretend: boolean }): Promise<Obstacle | undefined> {
  const { repository } = place.store;
  const work = { ...place, config: await withoutFilters(repository) };
  // Without an index everything counts as deleted, which the comparison says.
  await copyFile(join(repository.gitDir, "index"), work.index).catch(passOverMissing);
  const obstacle = await prepare(work, mode);
  if (obstacle !== undefined) return obstacle;
  const { from, to } = work.span;
  const args = ["read-tree", "-m", "-u", ...(mode.pretend ? ["-n"] : []), from, to];
  // Git looks at each file again before it touches it, so an edit made this very moment is safe too.
  const answer = await asUser(work, args, { answers: [128] });
  if (answer.code === 0) return undefined;
  const cause = REFUSED.test(answer.err) ? "edits" : "machine";
  return { cause, paths: [], because: answer.err.trim() };
}

/** Git's own words where it would overwrite what somebody has edited; then it has written nothing. */
const REFUSED = /not uptodate|would be (?:overwritten|removed|lost)|would lose/;

function passOverMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** Makes the copied index say what the files are, as far as they are the old or the new ones; names all others. */
async function prepare(work: CheckoutUpdate, { finishing }: Mode): Promise<Obstacle | undefined> {
  const { store, span: range } = work;
  const mine = range.changes.filter(({ path }) => !isKept(range, path));
  const staged = await differences(work);
  const wrong = new Set(mine.filter((change) => !fits(change, staged)).map(({ path }) => path));
  const leaving = new Set(mine.filter(({ was }) => was !== undefined).map(({ path }) => path));
  const seen = await Promise.all(mine.map(({ path }) => seeOnDisk(store.repository.top, path, leaving)));
  const sparse = seen.includes("gone") ? await leftOut(work) : new Set();
  for (const [at, change] of mine.entries()) {
    const allowed = finishing || sparse.has(change.path);
    if (inTheWay(change, seen[at] ?? "gone", allowed)) wrong.add(change.path);
  }
  const files = mine.filter(({ path }, at) => seen[at] === "file" && !wrong.has(path));
  const refused = await takeIn(work, files);
  if (refused !== undefined) return refused;
  const found = await differences(work);
  for (const change of files) if (!fits(change, found)) wrong.add(change.path);
  await keepOut(work);
  return wrong.size === 0
    ? undefined
    : { cause: "edits", paths: [...wrong].sort(), because: "they have changes of their own" };
}

function inTheWay(change: RangeChange, seen: OnDisk, allowed: boolean): boolean {
  if (seen === "gone") return change.was !== undefined && change.is !== undefined && !allowed;
  // A folder in the place of a new file may be one whose files all go: git itself decides about that.
  if (seen === "folder") return change.was !== undefined && change.is !== undefined;
  return seen !== "file";
}

/** At this path the index differs from the old commit not at all, or by having the new content already. */
function fits({ path, is }: RangeChange, staged: ReadonlyMap<string, Entry | undefined>): boolean {
  return !staged.has(path) || sameEntry(staged.get(path), is);
}

async function differences(work: CheckoutUpdate): Promise<Map<string, Entry | undefined>> {
  const args = ["diff-index", "--cached", "-z", "--raw", "--no-renames", "--no-ext-diff", work.span.from];
  const { out } = await asUser(work, args);
  return new Map(rawChanges(out).map(({ path, is }) => [path, is]));
}

/** What a sparse checkout leaves out: its files are missing on purpose. */
async function leftOut(work: CheckoutUpdate): Promise<Set<string>> {
  const { out } = await asUser(work, ["ls-files", "-z", "-t"]);
  const rows = records(out).map((record) => record.toString("utf8"));
  return new Set(rows.filter((row) => row.startsWith("S ")).map((row) => row.slice(2)));
}

async function takeIn(work: CheckoutUpdate, files: readonly RangeChange[]): Promise<Obstacle | undefined> {
  if (files.length === 0) return undefined;
  const { store } = work;
  // A user's unfinished work, hashed for the comparison, does not belong into their object store.
  const env = { GIT_OBJECT_DIRECTORY: join(store.dir, "objects") };
  const input = files.map(({ path }) => `${path}\0`).join("");
  const args = ["update-index", "-z", "--add", "--remove", "--ignore-skip-worktree-entries", "--stdin"];
  const answer = await asUser(work, args, { env, input, answers: [128] });
  return answer.code === 0 ? undefined : { cause: "machine", paths: [], because: answer.err.trim() };
}

/** With the new entry in the index already, git leaves the file alone. */
async function keepOut(work: CheckoutUpdate): Promise<void> {
  const kept = work.span.changes.filter(({ path }) => isKept(work.span, path));
  if (kept.length === 0) return;
  const none = "0".repeat(work.span.from.length);
  const input = kept.map(({ path, is }) => `${is?.mode ?? "0"} ${is?.id ?? none}\t${path}\0`).join("");
  await asUser(work, ["update-index", "-z", "--index-info"], { input });
}

function isKept({ kept }: CommitRange, path: string): boolean {
  return kept.some((name) => path === name || path.startsWith(`${name}/`));
}

/** With the user's own settings about line ends and sparseness, which are git's own code; without their programs. */
function asUser(
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
