import type { RunView } from "../../views/run-view.ts";
import { askGit } from "../project/ask-git.ts";

/** The commits that a run recorded, oldest first. What looks like none is never given to git. */
export function commitsIn({ commits }: Pick<RunView, "commits">): readonly string[] {
  return commits.map(({ commit }) => commit).filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
}

/** What the commit's trailer says of the chain; undefined where the repository does not have the commit. */
export async function trailerOf(repo: string, commit: string): Promise<{ readonly anchor?: string } | undefined> {
  const said = await askGit(repo, ["cat-file", "commit", commit]);
  const text = "out" in said ? said.out : undefined;
  if (text === undefined) return undefined;
  // The last one: a message that an agent wrote stands before the trailers.
  const anchor = [...text.matchAll(/^Signalbox-Chain: (\S+)$/gm)].at(-1)?.[1];
  return anchor === undefined ? {} : { anchor };
}
