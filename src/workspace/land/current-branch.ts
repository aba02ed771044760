import { SignalboxError } from "../../core/failure/errors.ts";
import { branchNow } from "../commit/commit.ts";
import { seeOperation } from "../read/checkout.ts";
import { line } from "../repository/git.ts";
import type { Repository } from "../repository/repository.ts";

/** The branch that the user's checkout is on, and where it stands. */
export type CurrentBranch = { readonly branch: string; readonly ref: string; readonly tip: string };

/** Work lands on a branch, at a moment when nothing else is being done to it. */
export async function needsCurrentBranch(repository: Repository): Promise<CurrentBranch> {
  const operation = await seeOperation(repository);
  if (operation !== null) throw operationUnderWay(repository, operation);
  const ref = line(await repository.ask(["symbolic-ref", "-q", "HEAD"], { answers: [1] }));
  if (!ref.startsWith("refs/heads/")) throw detached(repository);
  const branch = ref.slice("refs/heads/".length);
  const { commit: tip, symref } = await branchNow(repository, ref);
  if (symref !== "") throw alias(branch, symref);
  if (tip === undefined) throw unborn(branch);
  return { branch, ref, tip };
}

function operationUnderWay({ top }: Repository, operation: string): SignalboxError {
  return new SignalboxError(
    "OPERATION_UNDER_WAY",
    `A ${operation} is under way in ${top}, so its branch is not moved`,
    operation === "bisect"
      ? "End it with `git bisect reset`, then try again."
      : `Finish it with \`git ${operation} --continue\` or give it up with \`git ${operation} --abort\`, then try again.`,
  );
}

function detached({ top }: Repository): SignalboxError {
  return new SignalboxError(
    "HEAD_DETACHED",
    `${top} is on no branch (detached HEAD), so there is nothing to move`,
    "Switch to the branch that is meant, `git switch <branch>`, then try again.",
  );
}

function unborn(branch: string): SignalboxError {
  return new SignalboxError(
    "REPOSITORY_EMPTY",
    `Branch ${branch} has no commit yet, so nothing can be put on it`,
    "Switch to a branch with commits, or make the first one, then try again.",
  );
}

function alias(branch: string, symref: string): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `Branch ${branch} is another name for ${symref}`,
    "Switch to the branch that is meant, then try again.",
  );
}
