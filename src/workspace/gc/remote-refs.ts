import type { DisposableRun } from "../../core/ports/workspace.ts";
import { containsCommit, requireRef } from "../commit/commit.ts";
import { formatTakenRef } from "../commit/take-tree.ts";
import type { RefUpdate } from "../remote/push-report.ts";
import type { Remote } from "../remote/remote.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import type { GcPlan, WasteItem } from "./gc.ts";
import { listRefs, type NamedRef, planPinCopies } from "./run-refs.ts";

export type SharedRefs = { readonly store: GitStore; readonly remote: Remote };

/** Copies of the remote's refs can be fetched again; unpublished refs stay. */
export async function planCopiedRefs({ store }: SharedRefs, { run }: DisposableRun): Promise<GcPlan> {
  await requireRef(store, { ref: `refs/signalbox/${run}/t`, given: `run "${run}"` });
  const format = "--format=%(objecttype) %(refname) %(objectname)";
  const rows = getLine(await store.repository.ask(["for-each-ref", format, `refs/signalbox/${run}/`])).split("\n");
  const found = rows.filter(Boolean).map((row) => row.split(" "));
  const refs = found.flatMap(([type, name = "", id = ""]) => (type === "commit" ? [{ name, id }] : []));
  const stays = found.flatMap(([type, what = ""]) => (type === "commit" ? [] : [{ what, because: UNPUBLISHED }]));
  return { goes: [createLocalDeletion(store, refs), await planPinCopies(store, run)], stays };
}

const UNPUBLISHED = "it was never published, so this is its only copy";

/**
 * Plans the refs of a finished run on the remote. Commits on no remote branch stay, and so do the journal's anchor and
 * work that a person took: the local rule, applied to shared branches.
 */
export async function planSharedRefs(shared: SharedRefs, disposable: DisposableRun): Promise<GcPlan> {
  const { remote } = shared;
  const { run, commit, tree, force = false } = disposable;
  const prefix = `refs/signalbox/${run}/`;
  const there = await remote.list([`${prefix}*`]);
  const holders = commit === undefined ? [] : await listHoldingBranches(shared, requireId(commit));
  const own = `refs/heads/signalbox/${run}`;
  const landed = holders.some((name) => name !== own);
  const held = holders.length > 0 || force;
  const branch = holders.includes(own) ? await remote.list([own]) : [];
  const unheld =
    commit === undefined ? "the run made no commit, so this is its only copy" : "its commit is on no branch";
  const getReason = (name: string): string | undefined => {
    if (name === `${prefix}chain` || name === formatTakenRef(run)) return EVIDENCE;
    if (name === `${prefix}t/${tree}`) return "its unaccepted work is stored nowhere else";
    if (name === `${prefix}checkout`)
      return landed || force ? undefined : "it has not landed, so this is its only copy";
    return held ? undefined : unheld;
  };
  const goes = [...there.filter(({ name }) => getReason(name) === undefined), ...(landed ? branch : [])];
  const stays = there.flatMap(({ name }) => {
    const because = getReason(name);
    return because === undefined || because === EVIDENCE ? [] : [{ what: name, because }];
  });
  const unmerged = landed
    ? []
    : branch.map(({ name }) => ({ what: name, because: "it is not merged into another branch" }));
  const here = await planCopiedRefs(shared, disposable);
  return { goes: [createRemoteDeletion(shared, goes), ...here.goes], stays: [...stays, ...unmerged, ...here.stays] };
}

const EVIDENCE = "it is evidence";

/** Deletes each ref by compare and swap; a ref that was moved meanwhile stays. */
function createRemoteDeletion({ remote }: SharedRefs, refs: readonly NamedRef[]): WasteItem {
  const remove = async () => {
    for (let at = 0; at < refs.length; at += MOST_AT_ONCE)
      await remote.push(refs.slice(at, at + MOST_AT_ONCE).map(({ name, id }): RefUpdate => ({ ref: name, from: id })));
  };
  return { names: refs.map(({ name }) => `${remote.shown} ${name}`), bytes: 0, remove };
}

/** The number of refs that fit on a command line; each is passed twice. */
const MOST_AT_ONCE = 200;

/** Deletes only local copies; the remote still has them. */
function createLocalDeletion({ repository }: GitStore, refs: readonly NamedRef[]): WasteItem {
  const remove = async () => {
    const input = refs.map(({ name }) => `delete ${name}\0\0`).join("");
    await repository.ask(["update-ref", "-z", "--no-deref", "--stdin"], { input });
  };
  return { names: refs.map(({ name }) => name), bytes: 0, remove };
}

/** Lists the remote's branches that contain the commit now. */
async function listHoldingBranches({ store, remote }: SharedRefs, commit: string): Promise<readonly string[]> {
  const { repository } = store;
  await remote.fetch([`+refs/heads/*:${FETCHED_HEADS}*`]);
  try {
    const heads = await listRefs(repository, FETCHED_HEADS);
    const known = (await repository.ask(["cat-file", "-e", `${commit}^{commit}`], { answers: [1, 128] })).code === 0;
    if (!known) return [];
    const held = await Promise.all(heads.map(({ id }) => containsCommit(repository, id, commit)));
    return heads.filter((_head, at) => held[at]).map(({ name }) => `refs/heads/${name.slice(FETCHED_HEADS.length)}`);
  } finally {
    await createLocalDeletion(store, await listRefs(repository, FETCHED_HEADS)).remove();
  }
}

/** Upper-case, which no run id is. */
const FETCHED_HEADS = "refs/signalbox/HEADS/";
