import type { CommitOrder } from "../../core/ports/workspace.ts";
import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";
import { needsRef, writeCommit } from "./commit.ts";

/** What a run left, as a commit that its own refs hold: once taken it is the same for every later call. */
export async function takeTree(store: Store, order: Omit<CommitOrder, "branch">): Promise<string> {
  const before = await takenCommit(store, order.run);
  if (before !== undefined) return before;
  const commit = await writeCommit(store, { ...order, parents: [order.parent] });
  await store.repository.ask(["update-ref", takenRef(order.run), commit]);
  return commit;
}

export async function takenCommit(store: Store, run: string): Promise<string | undefined> {
  const ref = takenRef(run);
  await needsRef(store, { ref, given: `run "${run}"` });
  const found = line(await store.repository.ask(["rev-parse", "-q", "--verify", ref], { answers: [1] }));
  return found === "" ? undefined : found;
}

/** It says what a person took, and outlives the run's snapshots. */
export const takenRef = (run: string): string => `refs/signalbox/${run}/taken`;
