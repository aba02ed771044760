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
  if (commit === undefined) return null;
  const tree = line(await repository.ask(["rev-parse", `${commit}^{tree}`]));
  const own = line(await repository.ask(["log", "-n", MOST_SUBJECTS, "--format=%s", commit, "--not", "HEAD"]));
  return { commit, tree, subjects: own === "" ? [] : own.split("\n") };
}
