import type { CommitOrder, LeftWork } from "../../core/ports/workspace.ts";
import { writeCommit } from "../commit/commit.ts";
import { isTaken, takenRef } from "../commit/take.ts";
import { line } from "../repository/git.ts";
import type { Travel } from "./travel.ts";

/** What a person took of a run: the first that somebody of the team made stands for all. Anything else is replaced. */
export async function takeOnRemote(travel: Travel, order: Omit<CommitOrder, "branch">): Promise<string> {
  const ref = takenRef(order.run);
  const from = await fetched(travel, ref);
  if (from !== undefined && (await isTaken(travel.store, from, order))) return from;
  await travel.obtain(order.parent, order.tree);
  const to = await writeCommit(travel.store, { ...order, parents: [order.parent] });
  await travel.remote.push([{ ref, from, to }]);
  return (await takenOnRemote(travel, order)) ?? to;
}

export async function takenOnRemote(travel: Travel, work: LeftWork): Promise<string | undefined> {
  const { run } = travel.objects;
  const found = await fetched(travel, takenRef(run));
  return found !== undefined && (await isTaken(travel.store, found, { ...work, run })) ? found : undefined;
}

async function fetched({ store, remote }: Travel, ref: string): Promise<string | undefined> {
  if (!(await remote.fetch([`+${ref}:${ref}`]))) return undefined;
  return line(await store.repository.ask(["rev-parse", "--verify", ref]));
}
