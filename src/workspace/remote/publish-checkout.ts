import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { RunStartState, StoredCheckout } from "../../core/ports/workspace.ts";
import { readCheckoutHead, readState } from "../read/checkout.ts";
import { writeDirtTree } from "../read/dirty-tree.ts";
import { listFilesOnDisk } from "../read/files.ts";
import type { GitStore } from "../repository/git-store.ts";
import { normalizePath } from "../repository/path-inside.ts";
import { formatCheckoutRef, writeCheckout } from "./checkout-record.ts";
import type { ObjectTravel } from "./travel.ts";

/**
 * Publishes the checkout of the person who starts a run as a tree for all workers: its commit, the changes since that
 * are allowed, and the books. Ignored files that are not books stay local.
 */
export async function publishCheckout(
  travel: ObjectTravel,
  { commit, books, changed }: RunStartState,
): Promise<StoredCheckout> {
  const { store, remote, objects } = travel;
  const { repository } = store;
  const [head, { dirt, operation }] = await Promise.all([readCheckoutHead(repository), readState(repository)]);
  // Also written as lines of an ignore file.
  const kept = books.flatMap((book) => normalizePath(book.replace(/^\/+/, "")) ?? []);
  const looked =
    changed === undefined ? dirt : dirt.filter((path) => changed.some((each) => normalizePath(each) === path));
  const tree = await writeDirtTree(store, [...new Set([...looked, ...(await listBookFiles(store, kept))])]);
  const record = { head, dirt: [...dirt], operation, books: kept };
  travel.hold(commit);
  travel.hold(head.commit);
  await travel.publish();
  const id = await writeCheckout(store, { run: objects.run, tree, parent: head.commit, record });
  await remote.push([{ ref: formatCheckoutRef(objects.run), to: id }]);
  return { checkout: id };
}

async function listBookFiles({ repository }: GitStore, books: readonly string[]): Promise<readonly string[]> {
  const found = books.map(async (book) => {
    const seen = await stat(join(repository.top, book)).catch(() => undefined);
    if (seen?.isFile()) return [book];
    return seen?.isDirectory() ? listFilesOnDisk(repository, book) : [];
  });
  return (await Promise.all(found)).flat();
}
