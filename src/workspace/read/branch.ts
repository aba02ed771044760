import type { BranchState } from "../../core/authoring/observations.ts";
import { readBranchRef, requireRef } from "../commit/commit.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

const MOST_SUBJECTS = "50";

export async function readBranch(store: GitStore, name: string): Promise<BranchState | null> {
  const { repository } = store;
  const ref = `refs/heads/${name}`;
  await requireRef(store, { ref, given: `branch "${name}"` });
  const { commit } = await readBranchRef(repository, ref);
  return commit === undefined ? null : describeBranch(store, commit, "HEAD");
}

/** Describes a commit relative to another one. */
export async function describeBranch({ repository }: GitStore, commit: string, head: string): Promise<BranchState> {
  const tree = getLine(await repository.ask(["rev-parse", `${commit}^{tree}`]));
  const own = getLine(await repository.ask(["log", "-n", MOST_SUBJECTS, "--format=%s", commit, "--not", head]));
  return { commit, tree, subjects: own === "" ? [] : own.split("\n") };
}
