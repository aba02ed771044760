import type { CommitOrder, LeftWork } from "../../core/ports/workspace.ts";
import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";
import { needsRef, writeCommit } from "./commit.ts";

/** Commits the run's remaining work and pins it. Later calls return the same commit. */
export async function takeTree(store: Store, order: Omit<CommitOrder, "branch">): Promise<string> {
  const before = await takenCommit(store, order.run, order);
  if (before !== undefined) return before;
  const commit = await writeCommit(store, { ...order, parents: [order.parent] });
  await store.repository.ask(["update-ref", takenRef(order.run), commit]);
  return commit;
}

export async function takenCommit(store: Store, run: string, work: LeftWork): Promise<string | undefined> {
  const ref = takenRef(run);
  await needsRef(store, { ref, given: `run "${run}"` });
  const found = line(await store.repository.ask(["rev-parse", "-q", "--verify", ref], { answers: [1] }));
  return found !== "" && (await isTaken(store, found, { run, ...work })) ? found : undefined;
}

/** Reads the stored commit that a ref points to. */
export async function isTaken(store: Store, commit: string, of: LeftWork & { readonly run: string }): Promise<boolean> {
  const { code, out } = await store.ask(["cat-file", "commit", commit], { answers: [1, 128] });
  return code === 0 && isTakenText(out.toString("utf8"), of);
}

/**
 * True if the text is a commit of this run's unaccepted work, based on the tree and parent that the run ended with.
 * @rule A-42 (code) The engine trusts no ref, row or message by its name: content that is not identified by its hash is
 *   derived from the journal, or it is refused.
 */
export function isTakenText(text: string, { run, tree, parent }: LeftWork & { readonly run: string }): boolean {
  const end = text.indexOf("\n\n");
  const heads = text.slice(0, end).split("\n");
  const lines = (text.slice(end).trimEnd().split("\n\n").at(-1) ?? "").split("\n");
  return (
    heads[0] === `tree ${tree}` &&
    heads.filter((head) => head.startsWith("parent ")).join() === `parent ${parent}` &&
    lines.includes(`Signalbox-Run: ${run}`) &&
    lines.some((each) => each.startsWith(`${UNACCEPTED}: `))
  );
}

/** Trailer with the name of the person who took work that no gate accepted. */
export const UNACCEPTED = "Signalbox-Unaccepted";

/** Records what a person took, and outlives the run's snapshots. */
export const takenRef = (run: string): string => `refs/signalbox/${run}/taken`;
