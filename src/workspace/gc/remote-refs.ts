import type { Disposable } from "../../core/ports/workspace.ts";
import { contains, needsRef } from "../commit/commit.ts";
import { takenRef } from "../commit/take.ts";
import type { RefUpdate } from "../remote/push-report.ts";
import type { Remote } from "../remote/remote.ts";
import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";
import { needsId } from "../repository/tree-id.ts";
import type { Plan, Waste } from "./gc.ts";
import { copies, type Ref, refsBelow } from "./keep-unmerged.ts";

export type SharedRefs = { readonly store: Store; readonly remote: Remote };

/** Copies of the remote's refs are fetched again by who needs them; what was never published stays. */
export async function copiedRefs({ store }: SharedRefs, { run }: Disposable): Promise<Plan> {
  await needsRef(store, { ref: `refs/signalbox/${run}/t`, given: `run "${run}"` });
  const format = "--format=%(objecttype) %(refname) %(objectname)";
  const rows = line(await store.repository.ask(["for-each-ref", format, `refs/signalbox/${run}/`])).split("\n");
  const found = rows.filter(Boolean).map((row) => row.split(" "));
  const refs = found.flatMap(([type, name = "", id = ""]) => (type === "commit" ? [{ name, id }] : []));
  const stays = found.flatMap(([type, what = ""]) => (type === "commit" ? [] : [{ what, because: NEVER }]));
  return { goes: [dropped(store, refs), await copies(store, run)], stays };
}

const NEVER = "it was never published, so this is its only copy";

/**
 * The refs of a finished run on the remote. What is on no branch there stays, and so do the anchor of its journal and what
 * a person took: the same rule as at home, asked of the branches that all see.
 */
export async function sharedRefs(shared: SharedRefs, disposable: Disposable): Promise<Plan> {
  const { remote } = shared;
  const { run, commit, tree, force = false } = disposable;
  const prefix = `refs/signalbox/${run}/`;
  const there = await remote.list([`${prefix}*`]);
  const holders = commit === undefined ? [] : await branchesWith(shared, needsId(commit));
  const own = `refs/heads/signalbox/${run}`;
  const landed = holders.some((name) => name !== own);
  const held = holders.length > 0 || force;
  const branch = holders.includes(own) ? await remote.list([own]) : [];
  const unheld =
    commit === undefined ? "the run made no commit, so this is its only copy" : "its commit is on no branch";
  const reason = (name: string): string | undefined => {
    if (name === `${prefix}chain` || name === takenRef(run)) return EVIDENCE;
    if (name === `${prefix}t/${tree}`) return "its unaccepted work is nowhere else";
    if (name === `${prefix}checkout`) return landed || force ? undefined : "it did not land, so this is its only copy";
    return held ? undefined : unheld;
  };
  const goes = [...there.filter(({ name }) => reason(name) === undefined), ...(landed ? branch : [])];
  const stays = there.flatMap(({ name }) => {
    const because = reason(name);
    return because === undefined || because === EVIDENCE ? [] : [{ what: name, because }];
  });
  const unmerged = landed
    ? []
    : branch.map(({ name }) => ({ what: name, because: "it is merged into no other branch" }));
  const here = await copiedRefs(shared, disposable);
  return { goes: [deleted(shared, goes), ...here.goes], stays: [...stays, ...unmerged, ...here.stays] };
}

const EVIDENCE = "it is evidence";

/** By compare and swap, each on its own: one that moved meanwhile is somebody's, and stays. */
function deleted({ remote }: SharedRefs, refs: readonly Ref[]): Waste {
  const remove = async () => {
    for (let at = 0; at < refs.length; at += MOST_AT_ONCE)
      await remote.push(refs.slice(at, at + MOST_AT_ONCE).map(({ name, id }): RefUpdate => ({ ref: name, from: id })));
  };
  return { names: refs.map(({ name }) => `${remote.shown} ${name}`), bytes: 0, remove };
}

/** As many as fit on a command line, twice each. */
const MOST_AT_ONCE = 200;

/** Only copies: whoever has them on the remote has lost nothing. */
function dropped({ repository }: Store, refs: readonly Ref[]): Waste {
  const remove = async () => {
    const input = refs.map(({ name }) => `delete ${name}\0\0`).join("");
    await repository.ask(["update-ref", "-z", "--no-deref", "--stdin"], { input });
  };
  return { names: refs.map(({ name }) => name), bytes: 0, remove };
}

/** Branches of the remote that hold the commit, as they are now. */
async function branchesWith({ store, remote }: SharedRefs, commit: string): Promise<readonly string[]> {
  const { repository } = store;
  await remote.fetch([`+refs/heads/*:${SEEN}*`]);
  try {
    const heads = await refsBelow(repository, SEEN);
    const known = (await repository.ask(["cat-file", "-e", `${commit}^{commit}`], { answers: [1, 128] })).code === 0;
    if (!known) return [];
    const held = await Promise.all(heads.map(({ id }) => contains(repository, id, commit)));
    return heads.filter((_head, at) => held[at]).map(({ name }) => `refs/heads/${name.slice(SEEN.length)}`);
  } finally {
    await dropped(store, await refsBelow(repository, SEEN)).remove();
  }
}

/** Runs have no upper-case letters. */
const SEEN = "refs/signalbox/HEADS/";
