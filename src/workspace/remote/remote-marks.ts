import type { CommitOrder, FinalWork } from "../../core/ports/workspace.ts";
import { writeCommit } from "../commit/commit.ts";
import { formatTakenRef, isTakenCommit } from "../commit/take-tree.ts";
import { getLine } from "../repository/git.ts";
import type { ObjectTravel } from "./travel.ts";

/**
 * Publishes the work that a person took from a run. The first valid one counts for all members; anything else under the
 * ref is replaced.
 */
export async function takeOnRemote(travel: ObjectTravel, order: Omit<CommitOrder, "branch">): Promise<string> {
  const ref = formatTakenRef(order.run);
  const from = await fetchRef(travel, ref);
  if (from !== undefined && (await isTakenCommit(travel.store, from, order))) return from;
  await travel.obtain(order.parent, order.tree);
  const to = await writeCommit(travel.store, { ...order, parents: [order.parent] });
  await travel.remote.push([{ ref, from, to }]);
  return (await findTakenOnRemote(travel, order)) ?? to;
}

export async function findTakenOnRemote(travel: ObjectTravel, work: FinalWork): Promise<string | undefined> {
  const { run } = travel.objects;
  const found = await fetchRef(travel, formatTakenRef(run));
  return found !== undefined && (await isTakenCommit(travel.store, found, { ...work, run })) ? found : undefined;
}

async function fetchRef({ store, remote }: ObjectTravel, ref: string): Promise<string | undefined> {
  if (!(await remote.fetch([`+${ref}:${ref}`]))) return undefined;
  return getLine(await store.repository.ask(["rev-parse", "--verify", ref]));
}
