import { SignalboxError } from "../../core/failure/errors.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";

export type RunCommit = { readonly commit: string; readonly parent: string };

/** Reads the commits, newest first. Throws unless each names this run in its trailers. */
export async function readOwnCommits(store: GitStore, run: string, commits: readonly string[]): Promise<RunCommit[]> {
  const ids = [...new Set(commits.map(requireId))];
  const read = await Promise.all(ids.map((commit) => readCommit(store, run, commit)));
  if (read.length < 2) return read;
  const outer = read.map(({ parent }) => parent).filter((parent) => !ids.includes(parent));
  const args = ["rev-list", "--topo-order", ...ids, "--not", ...outer];
  const sorted = getLine(await store.repository.ask(args)).split("\n");
  return read.sort((a, b) => sorted.indexOf(a.commit) - sorted.indexOf(b.commit));
}

async function readCommit(store: GitStore, run: string, commit: string): Promise<RunCommit> {
  const answer = await store.ask(["cat-file", "commit", commit], { answers: [128] });
  if (answer.code !== 0) throw createForeignCommitError(run, commit, "is not in this repository");
  const text = answer.out.toString("utf8");
  const end = text.indexOf("\n\n");
  const parents = [...text.slice(0, end).matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? "");
  const [parent] = parents;
  if (parent === undefined || parents.length > 1)
    throw createForeignCommitError(run, commit, "does not have exactly one parent");
  const trailers = text.slice(end).trimEnd().split("\n\n").at(-1) ?? "";
  if (trailers.split("\n").includes(`Signalbox-Run: ${run}`)) return { commit, parent };
  throw createForeignCommitError(run, commit, "does not name the run in its trailers");
}

function createForeignCommitError(run: string, commit: string, because: string): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `Commit ${commit.slice(0, 12)} is not one of run ${run}: it ${because}`,
    `List the run's own commits with \`signalbox status ${run}\`.`,
  );
}
