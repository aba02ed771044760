import { FINISHED } from "../../core/authoring/end.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { EarlierAnswer } from "../../core/ports/host.ts";
import type { ForeignCommit, LandOrder, LandResult, Workspace } from "../../core/ports/workspace.ts";
import { counted } from "../../core/text/count.ts";
import type { Difference } from "../../surfaces/reports/anchor.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { RunView } from "../../views/run-view.ts";
import { getRunWork } from "../../views/unaccepted-work.ts";
import type { Call } from "../call.ts";
import { listCommits } from "../inspect/commit-trailer.ts";
import { askConsent } from "../output/terminal-prompt.ts";
import { readGitIdentity } from "../project/git-identity.ts";
import { refuseForged } from "../runs/anchors/forged-start.ts";
import { getChainRef, refuseOutdated } from "../runs/anchors/outdated-journal.ts";
import { findUnanchoredEnd } from "../runs/anchors/unanchored-end.ts";
import { collectCheckoutFiles } from "../runs/checkout-files.ts";
import {
  countFiles,
  formatCaveats,
  formatCheckoutUpdate,
  formatCopiedFiles,
  formatForeignCommits,
  formatLandedPaths,
  formatStateFiles,
  getMoveExitCode,
  MAX_COMMITS,
  shortenCommit,
} from "../runs/land-report.ts";
import { findPostedAnswer } from "../runs/questions/approvals.ts";
import type { RunStore } from "../runs/run-store.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import { commitUnaccepted, isOnBranch } from "../runs/unaccepted-commit.ts";
import { type ViewedRun, withView } from "../runs/with-run.ts";
import { compareStateFiles, listWrittenPaths, selectDocuments } from "../runs/written-paths.ts";
import { anchorEnd, openPendingEnds } from "../team/worker/pending-ends.ts";

export type LandFlags = { readonly unaccepted?: boolean; readonly withBase?: boolean };

/** Lands a run's work on the current branch. */
export async function landRun(call: Call, asked: string | undefined, flags: LandFlags = {}): Promise<number> {
  return withView(call, asked, async (found) => {
    const { store, row, view } = found;
    requireEndedRun(found, await findUnreadAnswer(found));
    const workspace = await openRunWorkspace(store);
    await refuseForged(store, row.id);
    await refuseOutdated({ host: store.host, workspace }, row.id);
    await anchorRecordedEnd({ ...store, workspace }, row.id);
    const unanchored = await findUnanchoredEnd({ store, workspace, last: view.end });
    if (unanchored) throw toNotAnchoredError(found, unanchored);
    await refuseForeignBase(found);
    return landOnBranch(call, { ...found, workspace }, flags);
  });
}

async function landOnBranch(
  call: Call,
  found: ViewedRun & { readonly workspace: Workspace },
  flags: LandFlags,
): Promise<number> {
  const { store, row, view, workspace } = found;
  const identity = await readGitIdentity(store.places.top);
  const commit = (await commitUnaccepted(call, { ...found, identity }, flags)) ?? findCommitToLand(found);
  const own = [...listCommits(view), commit];
  const order = { run: row.id, commit, own, date: store.world.now(), identity, kept: listKeptFiles(view) };
  const files = store.team ? { files: await collectCheckoutFiles(store, row.id) } : {};
  const landed = await landWithConsent(call, workspace, { order: { ...order, ...files }, flags });
  if (landed.status === "conflicts") throw toLandConflictError({ run: row.id, commit, ...landed });
  const push = formatPushCommand(found, landed);
  if (call.json) call.emit({ v: 1, run: row.id, commit, ...landed, ...(push === undefined ? {} : { push }) });
  else
    for (const line of [...(await formatLanding(call, found, landed)), ...formatPushLines(call, push)])
      call.print(line);
  return getMoveExitCode(landed.checkout);
}

type Landing = Exclude<LandResult, { status: "foreign" }>;

type LandRequest = { readonly order: LandOrder; readonly flags: LandFlags };

/**
 * Lands the run's own commits. Commits that the run only started from are included if a person agrees to exactly these.
 */
async function landWithConsent(call: Call, workspace: Workspace, { order, flags }: LandRequest): Promise<Landing> {
  const first = await workspace.land(flags.withBase ? { ...order, others: "all" } : order);
  if (first.status !== "foreign") return first;
  const { branch, commits } = first;
  for (const line of call.terminal ? formatForeignCommits(call.paint, commits) : []) call.print(line);
  const asks = `Run ${order.run} is based on ${counted(commits.length, "commit")} that ${branch} does not have. Land them too?`;
  const agreed = call.terminal && (await askConsent(asks, { otherwise: false }));
  if (!agreed) throw toForeignCommitsError(order, branch, commits);
  const second = await workspace.land({ ...order, others: commits.map(({ commit }) => commit) });
  if (second.status === "foreign") throw toForeignCommitsError(order, branch, second.commits);
  return second;
}

function toForeignCommitsError(
  { run, own = [] }: LandOrder,
  branch: string,
  commits: readonly ForeignCommit[],
): SignalboxError {
  const listed = commits
    .slice(0, MAX_COMMITS)
    .map(({ commit, subject }) => `  ${shortenCommit(commit)} ${toOneLine(subject)}`);
  const more = commits.length > MAX_COMMITS ? [`  … and ${commits.length - MAX_COMMITS} more`] : [];
  const pick = [...new Set(own)].map(shortenCommit).join(" ");
  return new SignalboxError(
    "LAND_REFUSED",
    `Landing run ${run} on ${branch} would also land ${counted(commits.length, "commit")} that the run is only based on. Nothing was changed:\n${[...listed, ...more].join("\n")}`,
    `Land on the branch the run started from (\`git switch <branch>\`), apply only the run's own commits with \`git cherry-pick ${pick}\`, or land all of them: \`signalbox land ${run} --with-base\`.`,
  );
}

/**
 * Refuses to land a team's run whose base commit is not on the branch, because no check of the run covered that base.
 */
async function refuseForeignBase({ store: { team, places }, row, view }: ViewedRun): Promise<void> {
  const { commit } = view.base;
  if (!team || (await isOnBranch(places.top, commit))) return;
  const ref = `refs/signalbox/${row.id}/base/${commit}`;
  throw new SignalboxError(
    "LAND_REFUSED",
    `Run ${row.id} is based on ${shortenCommit(commit)}, which your branch does not have. No check of the run covered the changes before it.`,
    `Update your branch (\`git pull\`) and land again. If ${shortenCommit(commit)} is on no branch of the team, review it first with \`git fetch ${team.remote} ${ref} && git log -p HEAD..${commit}\`, then \`git merge ${commit}\`.`,
  );
}

type AnchorContext = Pick<RunStore, "host" | "team" | "places"> & { readonly workspace: Workspace };

/** Anchors an end that this clone recorded while the remote was unavailable. */
async function anchorRecordedEnd({ team, places, host, workspace }: AnchorContext, run: string): Promise<void> {
  if (!team) return;
  const ends = openPendingEnds(places);
  for (const end of await ends.all())
    if (end.run === run) await anchorEnd({ ends, host, workspace, log: () => undefined }, end);
}

/**
 * Files that a pipeline updates in the checkout while it runs. After the run they belong to the user, whatever the
 * commit contains.
 */
export function listKeptFiles({ input }: Pick<RunView, "input">): readonly string[] {
  const file = typeof input === "object" && input !== null && "file" in input ? input["file"] : undefined;
  return typeof file === "string" ? [file] : [];
}

/** Finds an answer that no engine has read yet. The run's row still shows it as waiting. */
async function findUnreadAnswer({ store: { host }, row, view }: ViewedRun): Promise<EarlierAnswer | undefined> {
  const [asked] = row.status === "waiting" || row.status === "paused" ? view.open : [];
  return asked && findPostedAnswer(asked, await host.inbox.unread(row.id));
}

/** Refuses a run that has not ended, because it may still commit. */
function requireEndedRun({ row }: ViewedRun, answer: EarlierAnswer | undefined): void {
  if (answer) {
    throw new SignalboxError(
      "LAND_REFUSED",
      `Run ${row.id} has not ended: its question was answered (${answer.choice} by ${answer.by}), but no engine has continued it yet.`,
      `Continue it with \`signalbox resume ${row.id}\` and land it after it ends.`,
    );
  }
  if (FINISHED.some((status) => status === row.status)) return;
  throw new SignalboxError(
    "LAND_REFUSED",
    `Run ${row.id} has not ended: it is ${row.status}${row.reason ? `, ${row.reason}` : ""}.`,
    `Check \`signalbox status ${row.id}\` and land it after it ends. To land its current work: \`signalbox cancel ${row.id}\`, then \`signalbox land ${row.id} --unaccepted\`.`,
  );
}

function toNotAnchoredError(
  { store: { team }, row: { id: run }, view }: ViewedRun,
  difference: Difference,
): SignalboxError {
  const { message, replaced } = difference;
  const commit = listCommits(view).at(-1);
  const merge =
    commit && `git fetch ${team?.remote} signalbox/${run} && git log -p HEAD..${commit} && git merge ${commit}`;
  return new SignalboxError(
    "LAND_REFUSED",
    `Run ${run} cannot be landed: ${message}.`,
    `${replaced ? `A clone that has the anchor, such as the worker's, can restore it with \`git push --force ${team?.remote} ${getChainRef(run)}\`. ` : ""}The run's worker anchors the end when it reaches the remote. If that worker was stopped, start one in the same clone with \`signalbox worker\`, then run \`signalbox land ${run}\`. An end that no worker anchors may not come from a worker: check it with \`signalbox evidence ${run} --verify\`${merge ? `, and merge the work by hand: \`${merge}\`` : ""}.`,
  );
}

/** Returns the run's last commit. Only work that passed its gates was committed. */
function findCommitToLand({ row, view }: ViewedRun): string {
  const commit = listCommits(view).at(-1);
  if (commit !== undefined) return commit;
  const { unaccepted } = getRunWork(view);
  const see = `See why with \`signalbox status ${row.id}\``;
  throw new SignalboxError(
    "NOTHING_TO_LAND",
    `Run ${row.id} ended as ${row.status} without a commit: there is nothing ${unaccepted ? "accepted " : ""}to land.`,
    unaccepted
      ? `${see}, review its uncommitted work with \`signalbox diff ${row.id}\`, and land that with \`signalbox land ${row.id} --unaccepted\`.`
      : `${see}.`,
  );
}

type LandConflict = {
  readonly run: string;
  readonly commit: string;
  readonly branch: string;
  readonly paths: readonly string[];
};

function toLandConflictError({ run, commit, branch, paths }: LandConflict): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `Run ${run} conflicts with ${branch}. Nothing was changed:\n${paths.map((path) => `  ${path}`).join("\n")}`,
    `Merge manually: git merge ${shortenCommit(commit)}`,
  );
}

type CleanLanding = Exclude<Landing, { status: "conflicts" }>;

async function formatLanding(
  { paint }: Call,
  { store, row, view }: ViewedRun,
  landed: CleanLanding,
): Promise<readonly string[]> {
  const [run, { branch, checkout }] = [row.id, landed];
  if (landed.status === "already") {
    const back = landed.revertedBy;
    return [
      `${paint.green("✓")} ${branch} already has the work of ${run}${back ? `, reverted in ${shortenCommit(back)}` : ""}`,
      ...formatCheckoutUpdate(paint, checkout),
      ...formatCopiedFiles(paint, landed.files),
      ...(back ? [`  next: ${paint.cyan(`git revert ${shortenCommit(back)}`)}  # applies it again`] : []),
    ];
  }
  const written = await listWrittenPaths(store.host, run);
  const kept = await compareStateFiles(store.places.top, { kept: listKeptFiles(view), written });
  const documents = await selectDocuments(landed.paths, { pipeline: view.pipeline, written });
  const how = landed.by === "merge" ? "with a merge commit" : "by fast-forward";
  return [
    `${paint.green("✓")} ${paint.bold(run)} landed on ${paint.bold(branch)} ${how}: ${shortenCommit(landed.from)} → ${shortenCommit(landed.to)}, ${countFiles(landed.paths.length)}`,
    ...(row.submitter === undefined ? [] : [`  submitted by ${toOneLine(row.submitter)}`]),
    ...formatLandedPaths(paint, { paths: landed.paths, documents }),
    ...formatForeignCommits(paint, landed.others ?? []),
    ...formatCaveats(paint, view),
    ...formatCheckoutUpdate(paint, checkout),
    ...formatCopiedFiles(paint, landed.files),
    ...formatStateFiles(paint, kept),
    ...(landed.by === "merge" ? [paint.yellow(`  ${describeUncheckedMerge(view)}`)] : []),
    paint.dim(`  undo: signalbox revert ${run}`),
  ];
}

/** Returns the push command for a team. Only the local branch was moved; others get it from the remote. */
function formatPushCommand({ store: { team } }: ViewedRun, { status, branch }: CleanLanding): string | undefined {
  return team && status === "landed" ? `git push ${team.remote} ${branch}` : undefined;
}

function formatPushLines({ paint }: Call, push: string | undefined): readonly string[] {
  return push === undefined ? [] : [`  next: ${paint.cyan(push)}  # only your local branch was updated`];
}

/** Warns that the merged tree was not checked: checks ran on the run's commit, and the branch has changed since. */
function describeUncheckedMerge({ commands }: RunView): string {
  const lines = commands.map(({ run }) => toOneLine(run));
  return `the merge result was not checked${lines.length > 0 ? `: run ${lines.join(" && ")}` : ""}`;
}
