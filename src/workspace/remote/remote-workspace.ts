import type { DisposableRun, Workspace } from "../../core/ports/workspace.ts";
import { collectGarbage } from "../gc/gc.ts";
import { planCopiedRefs, planSharedRefs } from "../gc/remote-refs.ts";
import type { GitStore } from "../repository/git-store.ts";
import { formatCheckoutRef } from "./checkout-record.ts";
import { copyCheckout, findCheckout } from "./copy-checkout.ts";
import { publishCheckout } from "./publish-checkout.ts";
import type { Remote } from "./remote.ts";
import { anchorOnRemote, listRemoteAnchors, storeAnchors } from "./remote-anchors.ts";
import { findTakenOnRemote, takeOnRemote } from "./remote-marks.ts";
import { createRunObjects } from "./run-objects.ts";
import { createRunWorkspace, type ReadJournaledCheckout, type SharedRun } from "./run-workspace.ts";
import { createTravel, type ObjectTravel } from "./travel.ts";

export type RemoteWorkspaceDeps = {
  readonly local: Workspace;
  readonly store: GitStore;
  readonly remote: Remote;
  readonly journaled: ReadJournaledCheckout | undefined;
};

/**
 * The workspace of a team: objects that a run creates are published through a git remote, missing ones are fetched, and
 * its commit and checkout are stored there. The local checkout is only read when a run starts, and changed by `land`
 * and `revert`.
 */
export function withRemote({ local, store, remote, journaled }: RemoteWorkspaceDeps): Workspace {
  const runs = new Map<string, SharedRun>();
  const getSharedRun = (run: string): SharedRun => {
    const shared = runs.get(run) ?? { objects: createRunObjects(run), checkout: undefined };
    runs.set(run, shared);
    return shared;
  };
  const createRunTravel = (run: string): ObjectTravel =>
    createTravel({ store, remote, objects: getSharedRun(run).objects });
  const of = (run: string, fence?: number): Workspace =>
    createRunWorkspace({ all, store, travel: createRunTravel(run), shared: getSharedRun(run), journaled, fence });
  const publishAfter = async (run: string, body: (own: ObjectTravel) => Promise<void> | void): Promise<void> => {
    const own = createRunTravel(run);
    await body(own);
    await own.publish();
  };
  const all: Workspace = {
    ...local,
    of,
    begin: (run, at) => publishCheckout(createRunTravel(run), at),
    pin: (run, tree) => publishAfter(run, (own) => own.pin(tree)),
    hold: (run, commit) => publishAfter(run, (own) => own.hold(commit)),
    commit: (order) => of(order.run).commit(order),
    take: (order) => takeOnRemote(createRunTravel(order.run), order),
    taken: (run, work) => findTakenOnRemote(createRunTravel(run), work),
    anchor: (order) => anchorOnRemote(createRunTravel(order.run), order),
    anchored: (run) => listRemoteAnchors(createRunTravel(run)),
    holdAnchors: (run) => storeAnchors(createRunTravel(run)),
    async land(order) {
      const own = createRunTravel(order.run);
      await own.obtain(order.commit);
      // Checks what the remote lacks before the branch moves.
      const { files } = order;
      const left = files && (await findCheckout(own));
      const landed = await local.land(order);
      // A conflicting landing copies no files either.
      if (landed.status === "conflicts" || landed.status === "foreign" || !files) return landed;
      const brought = await copyCheckout(own, left, files);
      // If the ref was removed after the run had landed, nothing is missing.
      const isLost = left === undefined && landed.status === "landed";
      return { ...landed, files: isLost ? { ...brought, refused: [formatCheckoutRef(order.run)] } : brought };
    },
    async revert(order) {
      await createRunTravel(order.run).obtain(...order.commits);
      return local.revert(order);
    },
    gc: ({ runs: ended, dryRun, shared = false }) => {
      for (const { run } of ended) runs.delete(run);
      const plan = (run: DisposableRun) => (shared ? planSharedRefs : planCopiedRefs)({ store, remote }, run);
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
