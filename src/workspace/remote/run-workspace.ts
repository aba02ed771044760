import type { JournaledCheckout, Workspace } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import { composeTree } from "../commit/compose.ts";
import { seeFileIn, seeFilesIn } from "../read/files.ts";
import { needsPathInside } from "../repository/inside.ts";
import type { Store } from "../repository/store.ts";
import type { RunCheckout } from "./checkout-record.ts";
import { refuseForeignCheckout } from "./foreign-checkout.ts";
import { hiddenOf } from "./hidden-paths.ts";
import { commitOnRemote, remoteBranch } from "./remote-commit.ts";
import { type CheckoutWrite, fetchCheckout, writeToCheckout } from "./run-checkout.ts";
import type { RunObjects } from "./run-objects.ts";
import type { Travel } from "./travel.ts";

/** What all pieces of work for one run share in this process. */
export type SharedRun = {
  readonly objects: RunObjects;
  /** Of one owner: the next one looks again. */
  checkout: { readonly fence: unknown; readonly now: Promise<RunCheckout> } | undefined;
};

export type JournaledCheckouts = (run: string) => Promise<JournaledCheckout>;

export type RunWorkspaceParts = {
  readonly all: Workspace;
  readonly store: Store;
  readonly travel: Travel;
  readonly shared: SharedRun;
  readonly journaled: JournaledCheckouts | undefined;
  readonly fence: number | undefined;
};

/** What one piece of work for one run sees and does. */
export function workspaceOf(parts: RunWorkspaceParts): Workspace {
  const { all, store, travel } = parts;
  const { checkout, write } = checkoutOf(parts);
  const { made } = travel;
  const here = async <T>(ids: readonly (string | undefined)[], body: () => Promise<T>): Promise<T> => {
    await travel.obtain(...ids);
    return body();
  };
  return {
    ...all,
    head: async () => (await checkout()).head,
    async state() {
      const { head, dirt, operation } = await checkout();
      return { branch: head.branch, dirt, operation };
    },
    async file(path, tree) {
      if (tree === undefined) return seeFileIn(store, (await checkout()).tree, path);
      return here([tree], () => all.file(path, tree));
    },
    async files(under, tree) {
      if (tree !== undefined) return here([tree], () => all.files(under, tree));
      const now = await checkout();
      const found = await seeFilesIn(store, now.tree, under);
      const hidden = await hiddenOf(store, now, found);
      return found.filter((path) => !hidden.has(path));
    },
    filesOnDisk: async (under) => seeFilesIn(store, (await checkout()).tree, under),
    branch: async (name) => remoteBranch(travel, name, (await checkout()).head.commit),
    async dirt(paths) {
      const { head, tree } = await checkout();
      return made(await composeTree(store, head.tree, { from: tree, paths: paths.map(needsPathInside), texts: [] }));
    },
    changes: (from, to) => here([from, to], () => all.changes(from, to)),
    open: (tree, name, options) => here([tree, options?.base], () => all.open(tree, name, options)),
    snapshot: (dir, options) =>
      here([options.opened, options.onto], async () => {
        const taken = await all.snapshot(dir, options);
        made(taken.tree);
        return taken;
      }),
    render: (tree, files) => here([tree], async () => made(await all.render(tree, files))),
    compose: (tree, order) => here([tree, order.from], async () => made(await all.compose(tree, order))),
    mentions: (tree, words) => here([tree], () => all.mentions(tree, words)),
    merge: (base, trees) =>
      here([base, ...trees], async () => {
        const merged = await all.merge(base, trees);
        if (merged.clean) made(merged.tree.tree);
        return merged;
      }),
    commit: (order) => commitOnRemote(travel, order),
    pin: (_run, tree) => travel.pin(tree),
    hold: async (_run, commit) => travel.hold(commit),
    diff: (from, to, only) => here([from, to], () => all.diff(from, to, only)),
    changedFiles: (from, to) => here([from, to], () => all.changedFiles(from, to)),
    patch: (from, to, paths) => here([from, to], () => all.patch(from, to, paths)),
    write: (path, text, ifHash) => write({ path, text, ifHash }),
    publish: () => travel.publish(),
  };
}

type OwnCheckout = {
  checkout(): Promise<RunCheckout>;
  write(order: CheckoutWrite): Promise<{ readonly hash: string }>;
};

/** Fetched once per owner: nobody else writes to it while the run is his. */
function checkoutOf({ travel, shared, journaled, fence: given }: RunWorkspaceParts): OwnCheckout {
  // Who owns nothing shares what he saw with nobody.
  const fence: unknown = given ?? Symbol("nobody");
  const keep = (now: Promise<RunCheckout>): Promise<RunCheckout> => {
    const kept = { fence, now };
    shared.checkout = kept;
    // What went wrong is nobody's knowledge: the next one looks itself.
    now.catch(() => {
      if (shared.checkout === kept) shared.checkout = undefined;
    });
    return now;
  };
  const fetch = async (): Promise<RunCheckout> => {
    const now = await fetchCheckout(travel);
    const journal = await journaled?.(travel.objects.run);
    if (journal) await refuseForeignCheckout(travel, now, journal);
    return now;
  };
  const checkout = (): Promise<RunCheckout> => {
    const known = shared.checkout;
    return known && known.fence === fence ? known.now : keep(fetch());
  };
  return {
    checkout,
    async write(order) {
      const before = checkout().catch(fetch);
      await keep(before.then((now) => writeToCheckout(travel, now, { ...order, fetch })));
      return { hash: sha256(order.text) };
    },
  };
}
