import type { CommitOrder, FinalWork } from "../../core/ports/workspace.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireRef, writeCommit } from "./commit.ts";

/** Commits the run's remaining work and pins it. Later calls return the same commit. */
export async function takeTree(store: GitStore, order: Omit<CommitOrder, "branch">): Promise<string> {
  const before = await findTakenCommit(store, order.run, order);
  if (before !== undefined) return before;
  const commit = await writeCommit(store, { ...order, parents: [order.parent] });
  await store.repository.ask(["update-ref", formatTakenRef(order.run), commit]);
  return commit;
}

export async function findTakenCommit(store: GitStore, run: string, work: FinalWork): Promise<string | undefined> {
  const ref = formatTakenRef(run);
  await requireRef(store, { ref, given: `run "${run}"` });
  const found = getLine(await store.repository.ask(["rev-parse", "-q", "--verify", ref], { answers: [1] }));
  return found !== "" && (await isTakenCommit(store, found, { run, ...work })) ? found : undefined;
}

/** Reads the stored commit that a ref points to. */
export async function isTakenCommit(
  store: GitStore,
  commit: string,
  of: FinalWork & { readonly run: string },
): Promise<boolean> {
  const { code, out } = await store.ask(["cat-file", "commit", commit], { answers: [1, 128] });
  return code === 0 && isTakenText(out.toString("utf8"), of);
}

/**
 * True if the text is a commit of this run's unaccepted work, based on the tree and parent that the run ended with.
 * @rule A-42 (code) The engine trusts no ref, row or message by its name: content that is not identified by its hash is
 *   derived from the journal, or it is refused.
 */
export function isTakenText(text: string, { run, tree, parent }: FinalWork & { readonly run: string }): boolean {
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
export const formatTakenRef = (run: string): string => `refs/signalbox/${run}/taken`;
