import type { JournaledCheckout, Workspace } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import { composeTree } from "../commit/compose.ts";
import { listTreeFiles, readTreeFile } from "../read/files.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requirePathInside } from "../repository/path-inside.ts";
import type { RunCheckout } from "./checkout-record.ts";
import { refuseForeignCheckout } from "./foreign-checkout.ts";
import { listHiddenPaths } from "./hidden-paths.ts";
import { commitOnRemote, readRemoteBranch } from "./remote-commit.ts";
import { type CheckoutWrite, fetchCheckout, writeToCheckout } from "./run-checkout.ts";
import type { RunObjects } from "./run-objects.ts";
import type { ObjectTravel } from "./travel.ts";

/** State that all work on one run shares in this process. */
export type SharedRun = {
  readonly objects: RunObjects;
  /** The checkout as read by one owner; the next owner reads it again. */
  checkout: { readonly fence: unknown; readonly now: Promise<RunCheckout> } | undefined;
};

export type ReadJournaledCheckout = (run: string) => Promise<JournaledCheckout>;

export type RunWorkspaceDeps = {
  readonly all: Workspace;
  readonly store: GitStore;
  readonly travel: ObjectTravel;
  readonly shared: SharedRun;
  readonly journaled: ReadJournaledCheckout | undefined;
  readonly fence: number | undefined;
};

/** The workspace for one piece of work on a run. */
export function createRunWorkspace(parts: RunWorkspaceDeps): Workspace {
  const { all, store, travel } = parts;
  const { checkout, write } = createOwnCheckout(parts);
  const { made } = travel;
  const withObjects = async <T>(ids: readonly (string | undefined)[], body: () => Promise<T>): Promise<T> => {
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
      if (tree === undefined) return readTreeFile(store, (await checkout()).tree, path);
      return withObjects([tree], () => all.file(path, tree));
    },
    async files(under, tree) {
      if (tree !== undefined) return withObjects([tree], () => all.files(under, tree));
      const now = await checkout();
      const found = await listTreeFiles(store, now.tree, under);
      const hidden = await listHiddenPaths(store, now, found);
      return found.filter((path) => !hidden.has(path));
    },
    filesOnDisk: async (under) => listTreeFiles(store, (await checkout()).tree, under),
    branch: async (name) => readRemoteBranch(travel, name, (await checkout()).head.commit),
    async dirt(paths) {
      const { head, tree } = await checkout();
      return made(await composeTree(store, head.tree, { from: tree, paths: paths.map(requirePathInside), texts: [] }));
    },
    changes: (from, to) => withObjects([from, to], () => all.changes(from, to)),
    open: (tree, name, options) => withObjects([tree, options?.base], () => all.open(tree, name, options)),
    snapshot: (dir, options) =>
      withObjects([options.opened, options.onto], async () => {
        const taken = await all.snapshot(dir, options);
        made(taken.tree);
        return taken;
      }),
    render: (tree, files) => withObjects([tree], async () => made(await all.render(tree, files))),
    compose: (tree, order) => withObjects([tree, order.from], async () => made(await all.compose(tree, order))),
    mentions: (tree, words) => withObjects([tree], () => all.mentions(tree, words)),
    merge: (base, trees) =>
      withObjects([base, ...trees], async () => {
        const merged = await all.merge(base, trees);
        if (merged.clean) made(merged.tree.tree);
        return merged;
      }),
    commit: (order) => commitOnRemote(travel, order),
    pin: (_run, tree) => travel.pin(tree),
    hold: async (_run, commit) => travel.hold(commit),
    diff: (from, to, only) => withObjects([from, to], () => all.diff(from, to, only)),
    changedFiles: (from, to) => withObjects([from, to], () => all.changedFiles(from, to)),
    patch: (from, to, paths) => withObjects([from, to], () => all.patch(from, to, paths)),
    write: (path, text, ifHash) => write({ path, text, ifHash }),
    publish: () => travel.publish(),
  };
}

type OwnCheckout = {
  checkout(): Promise<RunCheckout>;
  write(order: CheckoutWrite): Promise<{ readonly hash: string }>;
};

/** Fetched once per owner, because only the owner of a run writes to it. */
function createOwnCheckout({ travel, shared, journaled, fence: given }: RunWorkspaceDeps): OwnCheckout {
  // A caller without a claim does not share what it read.
  const fence: unknown = given ?? Symbol("nobody");
  const keep = (now: Promise<RunCheckout>): Promise<RunCheckout> => {
    const kept = { fence, now };
    shared.checkout = kept;
    // Failures are not stored, so the next caller tries again.
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
