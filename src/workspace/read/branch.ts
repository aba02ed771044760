import type { BranchState } from "../../core/authoring/observations.ts";
import { branchNow, needsRef } from "../commit/commit.ts";
import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";

const MOST_SUBJECTS = "50";

export async function seeBranch(store: Store, name: string): Promise<BranchState | null> {
  const { repository } = store;
  const ref = `refs/heads/${name}`;
  await needsRef(store, { ref, given: `branch "${name}"` });
  const { commit } = await branchNow(repository, ref);
  return commit === undefined ? null : branchFrom(store, commit, "HEAD");
}

/** Describes a commit relative to another one. */
export async function branchFrom({ repository }: Store, commit: string, head: string): Promise<BranchState> {
  const tree = line(await repository.ask(["rev-parse", `${commit}^{tree}`]));
  const own = line(await repository.ask(["log", "-n", MOST_SUBJECTS, "--format=%s", commit, "--not", head]));
  return { commit, tree, subjects: own === "" ? [] : own.split("\n") };
}
