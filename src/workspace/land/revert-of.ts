import { line } from "../repository/git.ts";
import type { Repository } from "../repository/repository.ts";

/** The later commit that took this one back and still stands; found by the sentence that git itself writes. */
export async function revertOf(repository: Repository, commit: string, tip: string): Promise<string | undefined> {
  const sentence = `--grep=This reverts commit ${commit}`;
  const args = ["rev-list", "-1", "--fixed-strings", sentence, `${commit}..${tip}`];
  const found = line(await repository.ask(args));
  if (found === "") return undefined;
  return (await revertOf(repository, found, tip)) === undefined ? found : undefined;
}
