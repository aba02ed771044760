import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { buildStatement, type Statement } from "../../surfaces/statement/statement.ts";
import { foldRunView } from "../../views/run-view.ts";
import { listCommits } from "../inspect/commit-trailer.ts";
import { readVersion } from "../program.ts";
import { askGit } from "../project/ask-git.ts";

/** Collects what is signed: everything in the journal, and the trees of the run's commits from git. */
export async function buildRunStatement(repo: string, records: readonly JournalRecord[]): Promise<Statement> {
  const view = foldRunView(records);
  const commits = [];
  for (const commit of listCommits(view)) {
    const branch = view.commits.find((made) => made.commit === commit)?.branch ?? "";
    const tree = await readCommitTree(repo, commit);
    if (tree === undefined)
      throw toNothingToAttestError(view.run, `its commit ${commit} is not in this repository`, "Fetch it first.");
    commits.push({ commit, tree, branch });
  }
  if (view.end?.type !== "run.finished")
    throw toNothingToAttestError(view.run, "it has not ended", `Continue it with \`signalbox resume ${view.run}\`.`);
  if (commits.length === 0)
    throw toNothingToAttestError(
      view.run,
      "it made no commit",
      `See why with \`signalbox why ${view.run}\`. Its uncommitted work can be landed.`,
    );
  return buildStatement({ records, commits, version: readVersion() });
}

/** Returns the tree of a commit; undefined if the repository does not have the commit. */
export async function readCommitTree(repo: string, commit: string): Promise<string | undefined> {
  const said = await askGit(repo, ["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
  return "out" in said ? said.out.trim() : undefined;
}

function toNothingToAttestError(run: string, why: string, next: string): SignalboxError {
  return new SignalboxError("NOTHING_TO_ATTEST", `Run ${run} has nothing to sign: ${why}.`, next);
}
