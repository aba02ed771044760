import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { type Statement, statementOf } from "../../surfaces/statement/statement.ts";
import { viewOf } from "../../views/run-view.ts";
import { commitsIn } from "../inspect/commit-anchor.ts";
import { version } from "../program.ts";
import { askGit } from "../project/ask-git.ts";

/** What there is to sign of a run: all that the journal holds, and the trees of its commits as git has them. */
export async function statementOfRun(repo: string, records: readonly JournalRecord[]): Promise<Statement> {
  const view = viewOf(records);
  const commits = [];
  for (const commit of commitsIn(view)) {
    const branch = view.commits.find((made) => made.commit === commit)?.branch ?? "";
    const tree = await treeOf(repo, commit);
    if (tree === undefined)
      throw nothing(view.run, `its commit ${commit} is not in this repository`, "Fetch it first.");
    commits.push({ commit, tree, branch });
  }
  if (view.end?.type !== "run.finished")
    throw nothing(view.run, "it has not ended", `\`signalbox resume ${view.run}\` lets it go on.`);
  if (commits.length === 0)
    throw nothing(view.run, "it made no commit", `\`signalbox why ${view.run}\` says why; what it left can be landed.`);
  return statementOf({ records, commits, version: version() });
}

/** Undefined where the repository does not have the commit. */
export async function treeOf(repo: string, commit: string): Promise<string | undefined> {
  const said = await askGit(repo, ["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
  return "out" in said ? said.out.trim() : undefined;
}

function nothing(run: string, why: string, next: string): SignalboxError {
  return new SignalboxError("NOTHING_TO_ATTEST", `There is nothing to sign of ${run}: ${why}.`, next);
}
