import { rm } from "node:fs/promises";
import type { DisposableRun } from "../../core/ports/workspace.ts";
import { requireRef } from "../commit/commit.ts";
import { listPinCopies } from "../commit/pins.ts";
import { formatTakenRef } from "../commit/take-tree.ts";
import { getLine, splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import type { Repository } from "../repository/repository.ts";
import type { GcPlan, WasteItem } from "./gc.ts";
import { measureFolder, measureRun } from "./sizes.ts";

export type NamedRef = { readonly name: string; readonly id: string };

/**
 * Plans the refs of a finished run. Its last commit must be on a branch, or gets its own ref before anything is
 * removed.
 * @rule A-14 (policy) Nothing that is unmerged is removed; it is pinned first.
 */
export async function planRunRefs(store: GitStore, disposable: DisposableRun, dryRun: boolean): Promise<GcPlan> {
  const { run, commit, tree, force = false } = disposable;
  const { repository } = store;
  const prefix = `refs/signalbox/${run}/`;
  await requireRef(store, { ref: `${prefix}t`, given: `run "${run}"` });
  const [own, branch] = await Promise.all([listRefs(repository, prefix), findOwnBranch(repository, run)]);
  const bases = own.filter(({ name }) => name.startsWith(`${prefix}base/`));
  // The journal's anchor and work that a person took are evidence. The base commits are not the run's own work.
  const evidence = new Set([`${prefix}chain`, formatTakenRef(run)]);
  const all = own.filter(({ name }) => !evidence.has(name) && !bases.some((base) => base.name === name));
  const takeable = all.filter(({ name }) => tree !== undefined && name === `${prefix}t/${tree}`);
  const work = all.filter((ref) => !takeable.includes(ref));
  const trees = work.filter(({ name }) => name.startsWith(`${prefix}t/`));
  const holder = commit === undefined ? undefined : await findHolder(repository, requireId(commit), "");
  const aids = {
    goes: [createDeletion(repository, { refs: bases, bytes: 0 }), await planPinCopies(store, run)],
    stays: [],
  };
  const branchPlan = joinPlans(await planBranch(repository, branch), aids);
  if (holder !== undefined) {
    const bytes = await measureRun(store, run);
    const stays = takeable.map(({ name }) => ({ what: name, because: "its unaccepted work is stored nowhere else" }));
    return joinPlans(branchPlan, { goes: [createDeletion(repository, { refs: work, bytes, holder })], stays });
  }
  if (commit !== undefined && !dryRun) await pinKeptCommit(repository, run, commit);
  const because =
    commit === undefined ? "the run made no commit, so this is its only copy" : "its commit is on no branch";
  if (!force) return joinPlans(branchPlan, { goes: [], stays: all.map(({ name }) => ({ what: name, because })) });
  const bytes = await measureRun(store, run);
  return joinPlans(branchPlan, { goes: [createDeletion(repository, { refs: trees, bytes })], stays: [] });
}

/** Copies made while the run was suspended. */
export async function planPinCopies(store: GitStore, run: string): Promise<WasteItem> {
  const names = await listPinCopies(store, run);
  const bytes = (await Promise.all(names.map(measureFolder))).reduce((sum, each) => sum + each, 0);
  const remove = async () => {
    await Promise.all(names.map((name) => rm(name, { force: true })));
  };
  return { names, bytes, remove };
}

async function planBranch(repository: Repository, branch: NamedRef | undefined): Promise<GcPlan> {
  if (branch === undefined) return { goes: [], stays: [] };
  const holder = await findHolder(repository, branch.id, branch.name);
  const keepBranch = (because: string): GcPlan => ({ goes: [], stays: [{ what: branch.name, because }] });
  if (holder === undefined) return keepBranch("it is not merged into another branch");
  if (await isCheckedOut(repository, branch.name)) return keepBranch("it is checked out");
  return { goes: [createDeletion(repository, { refs: [branch], bytes: 0, holder })], stays: [] };
}

type Deletion = { readonly refs: readonly NamedRef[]; readonly bytes: number; readonly holder?: NamedRef };

/**
 * One transaction: it removes nothing unless all refs are unchanged and the branch that contains the work still does.
 */
function createDeletion(repository: Repository, { refs, bytes, holder }: Deletion): WasteItem {
  const verify = holder === undefined ? [] : [`verify ${holder.name}\0${holder.id}\0`];
  const input = [...verify, ...refs.map(({ name, id }) => `delete ${name}\0${id}\0`)].join("");
  const remove = async () => {
    await repository.ask(["update-ref", "-z", "--no-deref", "--stdin"], { input });
  };
  return { names: refs.map(({ name }) => name), bytes, remove };
}

async function pinKeptCommit(repository: Repository, run: string, commit: string): Promise<void> {
  const asked = await repository.ask(["cat-file", "-e", `${commit}^{commit}`], { answers: [1, 128] });
  if (asked.code === 0) await repository.ask(["update-ref", `refs/signalbox/${run}/kept/${commit}`, commit]);
}

/** Returns a branch that contains the commit. The run's own branch comes last, because it may be removed. */
async function findHolder(repository: Repository, commit: string, except: string): Promise<NamedRef | undefined> {
  const format = "--format=%(refname) %(objectname)";
  const answer = await repository.ask(["for-each-ref", format, "--contains", commit, "refs/heads/"], {
    answers: [128, 129],
  });
  const found = answer.code === 0 ? parseRefs(getLine(answer)).filter(({ name }) => name !== except) : [];
  return found.find(({ name }) => !name.startsWith("refs/heads/signalbox/")) ?? found[0];
}

async function findOwnBranch(repository: Repository, run: string): Promise<NamedRef | undefined> {
  const found = await listRefs(repository, `refs/heads/signalbox/${run}`);
  return found.find(({ name }) => name === `refs/heads/signalbox/${run}`);
}

export async function listRefs(repository: Repository, prefix: string): Promise<NamedRef[]> {
  return parseRefs(getLine(await repository.ask(["for-each-ref", "--format=%(refname) %(objectname)", prefix])));
}

function parseRefs(text: string): NamedRef[] {
  const rows = text.split("\n").filter(Boolean);
  return rows.map((row) => ({ name: row.slice(0, row.lastIndexOf(" ")), id: row.slice(row.lastIndexOf(" ") + 1) }));
}

async function isCheckedOut(repository: Repository, ref: string): Promise<boolean> {
  const { out } = await repository.ask(["worktree", "list", "--porcelain", "-z"]);
  return splitRecords(out).some((row) => row.toString("utf8") === `branch ${ref}`);
}

function joinPlans(one: GcPlan, other: GcPlan): GcPlan {
  return { goes: [...other.goes, ...one.goes], stays: [...one.stays, ...other.stays] };
}
