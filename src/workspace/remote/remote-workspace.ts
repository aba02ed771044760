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
 * The same, in a team: what a run makes is published through a git remote, what it needs is obtained from there, and its
 * commit and its checkout are moved there. This clone's own checkout is only looked at where a run begins, and moved by
 * `land` and `revert`.
 */
export function withRemote({ local, store, remote, journaled }: RemoteParts): Workspace {
  const runs = new Map<string, SharedRun>();
  const sharedOf = (run: string): SharedRun => {
    const shared = runs.get(run) ?? { objects: runObjects(run), checkout: undefined };
    runs.set(run, shared);
    return shared;
  };
  const travelOf = (run: string): Travel => travel({ store, remote, objects: sharedOf(run).objects });
  const of = (run: string, fence?: number): Workspace =>
    workspaceOf({ all, store, travel: travelOf(run), shared: sharedOf(run), journaled, fence });
  const published = async (run: string, body: (own: Travel) => Promise<void> | void): Promise<void> => {
    const own = travelOf(run);
    await body(own);
    await own.publish();
  };
  const all: Workspace = {
    ...local,
    of,
    begin: (run, at) => beginCheckout(travelOf(run), at),
    pin: (run, tree) => published(run, (own) => own.pin(tree)),
    hold: (run, commit) => published(run, (own) => own.hold(commit)),
    commit: (order) => of(order.run).commit(order),
    take: (order) => takeOnRemote(travelOf(order.run), order),
    taken: (run, work) => takenOnRemote(travelOf(run), work),
    anchor: (order) => anchorOnRemote(travelOf(order.run), order),
    anchored: (run) => anchoredOnRemote(travelOf(run)),
    holdAnchors: (run) => holdAnchors(travelOf(run)),
    async land(order) {
      const own = travelOf(order.run);
      await own.obtain(order.commit);
      // What the remote lacks is found out before the branch moves.
      const { files } = order;
      const left = files && (await findCheckout(own));
      const landed = await local.land(order);
      // What conflicts on the branch brings no file either.
      if (landed.status === "conflicts" || landed.status === "foreign" || !files) return landed;
      const brought = await bringCheckout(own, left, files);
      // Tidied up after it landed, nobody misses it.
      const isLost = left === undefined && landed.status === "landed";
      return { ...landed, files: isLost ? { ...brought, refused: [checkoutRef(order.run)] } : brought };
    },
    async revert(order) {
      await travelOf(order.run).obtain(...order.commits);
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
    // The remote has what a resting run needs; what was deleted here meanwhile is fetched again.
    keep: async () => undefined,
    restore: async (run) => void runs.delete(run),
  };
  return all;
}
