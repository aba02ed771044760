import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Beginning, BegunCheckout } from "../../core/ports/workspace.ts";
import { seeHead, seeState } from "../read/checkout.ts";
import { dirtTree } from "../read/dirty-tree.ts";
import { seeFilesOnDisk } from "../read/files.ts";
import { pathInside } from "../repository/inside.ts";
import type { Store } from "../repository/store.ts";
import { checkoutRef, writeCheckout } from "./checkout-record.ts";
import type { Travel } from "./travel.ts";

/**
 * Publishes the checkout of the person who starts a run as a tree for all workers: its commit, the changes since that
 * are allowed, and the books. Ignored files that are not books stay local.
 */
export async function beginCheckout(travel: Travel, { commit, books, changed }: Beginning): Promise<BegunCheckout> {
  const { store, remote, objects } = travel;
  const { repository } = store;
  const [head, { dirt, operation }] = await Promise.all([seeHead(repository), seeState(repository)]);
  // Also written as lines of an ignore file.
  const kept = books.flatMap((book) => pathInside(book.replace(/^\/+/, "")) ?? []);
  const looked =
    changed === undefined ? dirt : dirt.filter((path) => changed.some((each) => pathInside(each) === path));
  const tree = await dirtTree(store, [...new Set([...looked, ...(await listBookFiles(store, kept))])]);
  const record = { head, dirt: [...dirt], operation, books: kept };
  travel.hold(commit);
  travel.hold(head.commit);
  await travel.publish();
  const id = await writeCheckout(store, { run: objects.run, tree, parent: head.commit, record });
  await remote.push([{ ref: checkoutRef(objects.run), to: id }]);
  return { checkout: id };
}

async function listBookFiles({ repository }: Store, books: readonly string[]): Promise<readonly string[]> {
  const found = books.map(async (book) => {
    const seen = await stat(join(repository.top, book)).catch(() => undefined);
    if (seen?.isFile()) return [book];
    return seen?.isDirectory() ? seeFilesOnDisk(repository, book) : [];
  });
  return (await Promise.all(found)).flat();
}
