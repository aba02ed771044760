import type { Disposable, Workspace } from "../../core/ports/workspace.ts";
import { collectGarbage } from "../gc/gc.ts";
import { copiedRefs, sharedRefs } from "../gc/remote-refs.ts";
import type { Store } from "../repository/store.ts";
import { beginCheckout } from "./begin-checkout.ts";
import { bringCheckout, findCheckout } from "./bring-checkout.ts";
import { checkoutRef } from "./checkout-record.ts";
import type { Remote } from "./remote.ts";
import { anchoredOnRemote, anchorOnRemote, holdAnchors } from "./remote-anchors.ts";
import { takenOnRemote, takeOnRemote } from "./remote-marks.ts";
import { runObjects } from "./run-objects.ts";
import { type JournaledCheckouts, type SharedRun, workspaceOf } from "./run-workspace.ts";
import { type Travel, travel } from "./travel.ts";

export type RemoteParts = {
  readonly local: Workspace;
  readonly store: Store;
  readonly remote: Remote;
  readonly journaled: JournaledCheckouts | undefined;
};

/**
 * The workspace of a team: objects that a run creates are published through a git remote, missing ones are fetched, and
 * its commit and checkout are stored there. The local checkout is only read when a run starts, and changed by `land`
 * and `revert`.
 */
export function withRemote({ local, store, remote, journaled }: RemoteParts): Workspace {
  const runs = new Map<string, SharedRun>();
  const getSharedRun = (run: string): SharedRun => {
    const shared = runs.get(run) ?? { objects: runObjects(run), checkout: undefined };
    runs.set(run, shared);
    return shared;
  };
  const createRunTravel = (run: string): Travel => travel({ store, remote, objects: getSharedRun(run).objects });
  const of = (run: string, fence?: number): Workspace =>
    workspaceOf({ all, store, travel: createRunTravel(run), shared: getSharedRun(run), journaled, fence });
  const publishAfter = async (run: string, body: (own: Travel) => Promise<void> | void): Promise<void> => {
    const own = createRunTravel(run);
    await body(own);
    await own.publish();
  };
  const all: Workspace = {
    ...local,
    of,
    begin: (run, at) => beginCheckout(createRunTravel(run), at),
    pin: (run, tree) => publishAfter(run, (own) => own.pin(tree)),
    hold: (run, commit) => publishAfter(run, (own) => own.hold(commit)),
    commit: (order) => of(order.run).commit(order),
    take: (order) => takeOnRemote(createRunTravel(order.run), order),
    taken: (run, work) => takenOnRemote(createRunTravel(run), work),
    anchor: (order) => anchorOnRemote(createRunTravel(order.run), order),
    anchored: (run) => anchoredOnRemote(createRunTravel(run)),
    holdAnchors: (run) => holdAnchors(createRunTravel(run)),
    async land(order) {
      const own = createRunTravel(order.run);
      await own.obtain(order.commit);
      // Checks what the remote lacks before the branch moves.
      const { files } = order;
      const left = files && (await findCheckout(own));
      const landed = await local.land(order);
      // A conflicting landing copies no files either.
      if (landed.status === "conflicts" || landed.status === "foreign" || !files) return landed;
      const brought = await bringCheckout(own, left, files);
      // If the ref was removed after the run had landed, nothing is missing.
      const isLost = left === undefined && landed.status === "landed";
      return { ...landed, files: isLost ? { ...brought, refused: [checkoutRef(order.run)] } : brought };
    },
    async revert(order) {
      await createRunTravel(order.run).obtain(...order.commits);
      return local.revert(order);
    },
    gc: ({ runs: ended, dryRun, shared = false }) => {
      for (const { run } of ended) runs.delete(run);
      const plan = (run: Disposable) => (shared ? sharedRefs : copiedRefs)({ store, remote }, run);
      return collectGarbage(store, { runs: ended, dryRun, plan });
    },
    async abandon(run) {
      await local.abandon(run);
      runs.delete(run);
    },
    // The remote has what a suspended run needs; anything deleted locally is fetched again.
    keep: async () => undefined,
    restore: async (run) => void runs.delete(run),
  };
  return all;
}
