import { SignalboxError } from "../../core/failure/errors.ts";
import type { RevertResult, SharedWork } from "../../core/ports/workspace.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Call } from "../call.ts";
import { listCommits } from "../inspect/commit-trailer.ts";
import { readGitIdentity } from "../project/git-identity.ts";
import {
  countFiles,
  formatCheckoutUpdate,
  formatPaths,
  formatRevertedStates,
  getMoveExitCode,
  type StateFile,
  shortenCommit,
} from "../runs/land-report.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import { findTakenCommit } from "../runs/unaccepted-commit.ts";
import { withView } from "../runs/with-run.ts";
import { compareStateFiles, listWrittenPaths } from "../runs/written-paths.ts";
import { listKeptFiles } from "./land.ts";

/** Reverts a run's own commits with one commit on the current branch. */
export async function revertRun(call: Call, runRef: string | undefined): Promise<number> {
  return withView(call, runRef, async ({ store, row, view }) => {
    const workspace = await openRunWorkspace(store);
    const taken = await findTakenCommit({ store, row, view, workspace });
    const commits = [...listCommits(view), ...(taken === undefined ? [] : [taken])];
    if (commits.length === 0) {
      throw new SignalboxError(
        "LAND_REFUSED",
        `Run ${row.id} made no commit: there is nothing to revert.`,
        `See what it did with \`signalbox status ${row.id}\`.`,
      );
    }
    const [date, identity] = [store.world.now(), await readGitIdentity(store.places.top)];
    const reverted = await workspace.revert({ run: row.id, commits, date, identity, kept: listKeptFiles(view) });
    if (reverted.status === "conflicts") throw toRevertConflictError(row.id, reverted);
    if (reverted.status === "unlanded") throw toUnlandedError(row.id, reverted);
    if (call.json) call.emit({ v: 1, run: row.id, commits, ...reverted });
    else {
      const written = await listWrittenPaths(store.host, row.id);
      const kept = await compareStateFiles(store.places.top, { kept: listKeptFiles(view), written });
      for (const line of formatRevert(call, { run: row.id, kept }, reverted)) call.print(line);
    }
    return getMoveExitCode(reverted.checkout);
  });
}

function toRevertConflictError(
  run: string,
  { branch, paths }: Extract<RevertResult, { status: "conflicts" }>,
): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `The work of ${run} was changed on ${branch} since. Nothing was changed:\n${paths.map((path) => `  ${path}`).join("\n")}`,
    "Revert it manually with `git revert` and resolve the conflicts.",
  );
}

function toUnlandedError(
  run: string,
  { branch, on, command }: Extract<RevertResult, { status: "unlanded" }>,
): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `The work of ${run} is not on ${branch}${on.length > 0 ? `; it is on ${on.join(", ")}` : ""}.`,
    command ? `To discard it permanently: ${command}` : "There is nothing to revert.",
  );
}

/** Lists changes that several runs or commits made. They disappear only when all of them are reverted. */
function formatSharedWork(paint: Call["paint"], { paths, by }: SharedWork): readonly string[] {
  const runs = [...new Set(by.flatMap(({ run }) => (run === null ? [] : [toOneLine(run)])))];
  const others = by.filter(({ run }) => run === null).map(({ commit }) => `commit ${shortenCommit(commit)}`);
  const sources = [...runs.map((run) => `run ${run}`), ...others].join(", ");
  return [
    paint.yellow(`  not reverted, because ${sources} made the same change:`),
    ...formatPaths(paint, paths),
    ...runs.map((run) => `  next: ${paint.cyan(`signalbox revert ${run}`)}${paint.dim("  # reverts that too")}`),
  ];
}

type CleanRevert = Extract<RevertResult, { status: "reverted" | "already" }>;

type RevertSummary = { readonly run: string; readonly kept: readonly StateFile[] };

function formatRevert({ paint }: Call, { run, kept }: RevertSummary, reverted: CleanRevert): readonly string[] {
  const { branch, checkout } = reverted;
  if (reverted.status === "already") {
    return [
      `${paint.green("✓")} the work of ${run} is already reverted on ${branch}`,
      ...formatCheckoutUpdate(paint, checkout),
    ];
  }
  const { from, to, paths, shared } = reverted;
  return [
    `${paint.green("✓")} ${paint.bold(run)} reverted on ${paint.bold(branch)}: ${shortenCommit(from)} → ${shortenCommit(to)}, ${countFiles(paths.length)}`,
    ...formatPaths(paint, paths),
    ...(shared ? formatSharedWork(paint, shared) : []),
    ...formatCheckoutUpdate(paint, checkout),
    ...formatRevertedStates(paint, kept),
    paint.dim(`  undo: git revert ${shortenCommit(to)}`),
  ];
}
