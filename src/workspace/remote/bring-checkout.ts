import type { Brought } from "../../core/ports/workspace.ts";
import { seeChanges, seeFile, seeFileIn } from "../read/files.ts";
import { replaceFile } from "../repository/replace-file.ts";
import { type RunCheckout, readCheckout } from "./checkout-record.ts";
import { fetchCheckout } from "./run-checkout.ts";
import type { Travel } from "./travel.ts";

/**
 * Files that a run wrote into its checkout, brought into the person's: each only where theirs is still what the run began
 * with. Twice is harmless.
 */
export async function bringCheckout(travel: Travel): Promise<Brought> {
  return layCheckout(travel, await fetchCheckout(travel));
}

/** The same for a checkout that was fetched before. */
export async function layCheckout({ store, objects }: Travel, now: RunCheckout): Promise<Brought> {
  if (now.begun === undefined) return { brought: [], edited: [] };
  const begun = await readCheckout(store, objects.run, now.begun);
  const brought: string[] = [];
  const edited: string[] = [];
  for (const { path } of await seeChanges(store, begun.tree, now.tree)) {
    const [theirs, before, after] = await Promise.all([
      seeFile(store.repository, path),
      seeFileIn(store, begun.tree, path),
      seeFileIn(store, now.tree, path),
    ]);
    if (after === null || theirs?.hash === after.hash) continue;
    if (theirs?.hash !== before?.hash) edited.push(path);
    else {
      await replaceFile({ top: store.repository.top, path, text: after.text });
      brought.push(path);
    }
  }
  return { brought, edited };
}
