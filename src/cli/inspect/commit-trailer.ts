import type { RunView } from "../../views/run-view.ts";
import { askGit } from "../project/ask-git.ts";

/**
 * Commits that a run recorded, oldest first. Values that are not commit ids are dropped, so they are never passed to
 * git.
 */
export function listCommits({ commits }: Pick<RunView, "commits">): readonly string[] {
  return commits.map(({ commit }) => commit).filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
}

/** Reads the chain trailer of a commit; undefined if the repository does not have the commit. */
export async function readTrailer(repo: string, commit: string): Promise<{ readonly anchor?: string } | undefined> {
  const reply = await askGit(repo, ["cat-file", "commit", commit]);
  const text = "out" in reply ? reply.out : undefined;
  if (text === undefined) return undefined;
  // The last match counts: the message, which an agent wrote, comes before the trailers.
  const anchor = [...text.matchAll(/^Signalbox-Chain: (\S+)$/gm)].at(-1)?.[1];
  return anchor === undefined ? {} : { anchor };
}
