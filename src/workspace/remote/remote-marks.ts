import type { CommitOrder, LeftWork } from "../../core/ports/workspace.ts";
import { writeCommit } from "../commit/commit.ts";
import { isTaken, takenRef } from "../commit/take.ts";
import { line } from "../repository/git.ts";
import type { Travel } from "./travel.ts";

/**
 * Publishes the work that a person took from a run. The first valid one counts for all members; anything else under the
 * ref is replaced.
 */
export async function takeOnRemote(travel: Travel, order: Omit<CommitOrder, "branch">): Promise<string> {
  const ref = takenRef(order.run);
  const from = await fetchRef(travel, ref);
  if (from !== undefined && (await isTaken(travel.store, from, order))) return from;
  await travel.obtain(order.parent, order.tree);
  const to = await writeCommit(travel.store, { ...order, parents: [order.parent] });
  await travel.remote.push([{ ref, from, to }]);
  return (await takenOnRemote(travel, order)) ?? to;
}

export async function takenOnRemote(travel: Travel, work: LeftWork): Promise<string | undefined> {
  const { run } = travel.objects;
  const found = await fetchRef(travel, takenRef(run));
  return found !== undefined && (await isTaken(travel.store, found, { ...work, run })) ? found : undefined;
}

async function fetchRef({ store, remote }: Travel, ref: string): Promise<string | undefined> {
  if (!(await remote.fetch([`+${ref}:${ref}`]))) return undefined;
  return line(await store.repository.ask(["rev-parse", "--verify", ref]));
}
