import { getLine } from "../repository/git.ts";
import type { Repository } from "../repository/repository.ts";

/**
 * Returns the later commit that reverted this one and is not reverted itself, found by the sentence that git writes.
 */
export async function findRevert(repository: Repository, commit: string, tip: string): Promise<string | undefined> {
  const sentence = `--grep=This reverts commit ${commit}`;
  const args = ["rev-list", "-1", "--fixed-strings", sentence, `${commit}..${tip}`];
  const found = getLine(await repository.ask(args));
  if (found === "") return undefined;
  return (await findRevert(repository, found, tip)) === undefined ? found : undefined;
}
