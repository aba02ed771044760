import { SignalboxError } from "../../core/failure/errors.ts";
import { readBranchRef } from "../commit/commit.ts";
import { readOperation } from "../read/checkout.ts";
import { getLine } from "../repository/git.ts";
import type { Repository } from "../repository/repository.ts";

/** The user's checked-out branch and its tip. */
export type CurrentBranch = { readonly branch: string; readonly ref: string; readonly tip: string };

/** Returns the current branch. Throws if an operation such as a rebase is in progress. */
export async function requireCurrentBranch(repository: Repository): Promise<CurrentBranch> {
  const operation = await readOperation(repository);
  if (operation !== null) throw createOperationError(repository, operation);
  const ref = getLine(await repository.ask(["symbolic-ref", "-q", "HEAD"], { answers: [1] }));
  if (!ref.startsWith("refs/heads/")) throw createDetachedError(repository);
  const branch = ref.slice("refs/heads/".length);
  const { commit: tip, symref } = await readBranchRef(repository, ref);
  if (symref !== "") throw createBranchAliasError(branch, symref);
  if (tip === undefined) throw createUnbornError(branch);
  return { branch, ref, tip };
}

function createOperationError({ top }: Repository, operation: string): SignalboxError {
  return new SignalboxError(
    "OPERATION_UNDER_WAY",
    `A ${operation} is in progress in ${top}, so its branch is not moved`,
    operation === "bisect"
      ? "End it with `git bisect reset`, then try again."
      : `Finish it with \`git ${operation} --continue\` or cancel it with \`git ${operation} --abort\`, then try again.`,
  );
}

function createDetachedError({ top }: Repository): SignalboxError {
  return new SignalboxError(
    "HEAD_DETACHED",
    `${top} is not on a branch (detached HEAD)`,
    "Switch to a branch with `git switch <branch>`, then try again.",
  );
}

function createUnbornError(branch: string): SignalboxError {
  return new SignalboxError(
    "REPOSITORY_EMPTY",
    `Branch ${branch} has no commit yet`,
    "Switch to a branch with commits, or create the first commit, then try again.",
  );
}

function createBranchAliasError(branch: string, symref: string): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `Branch ${branch} is an alias of ${symref}`,
    "Switch to the actual branch, then try again.",
  );
}
