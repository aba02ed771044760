import { FINISHED } from "../../core/authoring/end.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { EarlierAnswer } from "../../core/ports/host.ts";
import type { ForeignCommit, LandOrder, LandResult, Workspace } from "../../core/ports/workspace.ts";
import { counted } from "../../core/text/counted.ts";
import type { Difference } from "../../surfaces/reports/chain.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { RunView } from "../../views/run-view.ts";
import { workOf } from "../../views/unaccepted-work.ts";
import type { Call } from "../call.ts";
import { commitsIn } from "../inspect/commit-anchor.ts";
import { askConsent } from "../output/terminal-prompt.ts";
import { gitIdentity } from "../project/git-identity.ts";
import { unanchoredEnd } from "../runs/anchors/anchored-end.ts";
import { chainPlace, refuseOutdated } from "../runs/anchors/outdated-journal.ts";
import { refuseForged } from "../runs/anchors/taken-records.ts";
import { checkoutFiles } from "../runs/checkout-files.ts";
import {
  broughtLines,
  checkoutLines,
  doubtLines,
  exitOfMove,
  files,
  foreignLines,
  keptLines,
  landedLines,
  MOST_COMMITS,
  short,
} from "../runs/land-lines.ts";
import { type RunSeen, withView } from "../runs/one-run.ts";
import { postedFor } from "../runs/questions/approvals.ts";
import type { RunStore } from "../runs/run-store.ts";
import { isOnBranch, unacceptedCommit } from "../runs/unaccepted-commit.ts";
import { workspaceHere } from "../runs/workspace-here.ts";
import { documentsAmong, keptNow, writtenPaths } from "../runs/written-paths.ts";
import { anchorEnd, endsIn } from "../team/worker/left-ends.ts";

export type LandFlags = { readonly unaccepted?: boolean; readonly withBase?: boolean };

/** Takes a run's work onto the branch that is checked out. */
export async function land(call: Call, asked: string | undefined, flags: LandFlags = {}): Promise<number> {
  return withView(call, asked, async (found) => {
    const { store, row, view } = found;
    requireEnd(found, await unreadAnswer(found));
    const workspace = await workspaceHere(store);
    await refuseForged(store, row.id);
    await refuseOutdated({ host: store.host, workspace }, row.id);
    await anchorLeft({ ...store, workspace }, row.id);
    const unanchored = await unanchoredEnd({ store, workspace, last: view.end });
    if (unanchored) throw notAnchored(found, unanchored);
    await refuseForeignBase(found);
    return takeOntoBranch(call, { ...found, workspace }, flags);
  });
}

async function takeOntoBranch(
  call: Call,
  found: RunSeen & { readonly workspace: Workspace },
  flags: LandFlags,
): Promise<number> {
  const { store, row, view, workspace } = found;
  const identity = await gitIdentity(store.places.top);
  const commit = (await unacceptedCommit(call, { ...found, identity }, flags)) ?? commitToLand(found);
  const own = [...commitsIn(view), commit];
  const order = { run: row.id, commit, own, date: store.world.now(), identity, kept: keptFiles(view) };
  const files = store.team ? { files: await checkoutFiles(store, row.id) } : {};
  const landed = await landAgreed(call, workspace, { order: { ...order, ...files }, flags });
  if (landed.status === "conflicts") throw conflicts({ run: row.id, commit, ...landed });
  const push = pushOf(found, landed);
  if (call.json) call.emit({ v: 1, run: row.id, commit, ...landed, ...(push === undefined ? {} : { push }) });
  else for (const line of [...(await linesOf(call, found, landed)), ...pushLines(call, push)]) call.print(line);
  return exitOfMove(landed.checkout);
}

type Landing = Exclude<LandResult, { status: "foreign" }>;

type Agreeing = { readonly order: LandOrder; readonly flags: LandFlags };

/** Lands the run's own commits. Others that it only started from come along if a person agrees to exactly these. */
async function landAgreed(call: Call, workspace: Workspace, { order, flags }: Agreeing): Promise<Landing> {
  const first = await workspace.land(flags.withBase ? { ...order, others: "all" } : order);
  if (first.status !== "foreign") return first;
  const { branch, commits } = first;
  for (const line of call.terminal ? foreignLines(call.paint, commits) : []) call.print(line);
  const asks = `The run ${order.run} only started from ${counted(commits.length, "commit")} that ${branch} does not have. Bring them too?`;
  const agreed = call.terminal && (await askConsent(asks, { otherwise: false }));
  if (!agreed) throw foreignCommits(order, branch, commits);
  const second = await workspace.land({ ...order, others: commits.map(({ commit }) => commit) });
  if (second.status === "foreign") throw foreignCommits(order, branch, second.commits);
  return second;
}

function foreignCommits(
  { run, own = [] }: LandOrder,
  branch: string,
  commits: readonly ForeignCommit[],
): SignalboxError {
  const listed = commits.slice(0, MOST_COMMITS).map(({ commit, subject }) => `  ${short(commit)} ${oneLine(subject)}`);
  const more = commits.length > MOST_COMMITS ? [`  … and ${commits.length - MOST_COMMITS} more`] : [];
  const pick = [...new Set(own)].map(short).join(" ");
  return new SignalboxError(
    "LAND_REFUSED",
    `Landing the run ${run} on ${branch} would also bring ${counted(commits.length, "commit")} that the run only started from; nothing was moved:\n${[...listed, ...more].join("\n")}`,
    `Land on the branch that the run started from (\`git switch <branch>\`), take the run's own work alone with \`git cherry-pick ${pick}\`, or bring all of it: \`signalbox land ${run} --with-base\`.`,
  );
}

/** What a run of the team began from was looked at by none of its checks: only its own work is landed. */
async function refuseForeignBase({ store: { team, places }, row, view }: RunSeen): Promise<void> {
  const { commit } = view.base;
  if (!team || (await isOnBranch(places.top, commit))) return;
  const ref = `refs/signalbox/${row.id}/base/${commit}`;
  throw new SignalboxError(
    "LAND_REFUSED",
    `The run ${row.id} began from ${short(commit)}, which your branch does not have; no check of the run has looked at what came before it.`,
    `Bring your branch up to date (\`git pull\`), and land then. Where ${short(commit)} is on no branch of the team, look at it first: \`git fetch ${team.remote} ${ref} && git log -p HEAD..${commit}\`; \`git merge ${commit}\` takes it.`,
  );
}

type Anchoring = Pick<RunStore, "host" | "team" | "places"> & { readonly workspace: Workspace };

/** An end that this clone recorded while the remote was away is anchored now. */
async function anchorLeft({ team, places, host, workspace }: Anchoring, run: string): Promise<void> {
  if (!team) return;
  const ends = endsIn(places);
  for (const end of await ends.all())
    if (end.run === run) await anchorEnd({ ends, host, workspace, log: () => undefined }, end);
}

/** Files that a pipeline keeps in the checkout while it runs: the person's own now, whatever the commit has. */
export function keptFiles({ input }: Pick<RunView, "input">): readonly string[] {
  const file = typeof input === "object" && input !== null && "file" in input ? input["file"] : undefined;
  return typeof file === "string" ? [file] : [];
}

/** An answer that nobody has gone on with yet: by its row the run still waits for it. */
async function unreadAnswer({ store: { host }, row, view }: RunSeen): Promise<EarlierAnswer | undefined> {
  const [asked] = row.status === "waiting" || row.status === "paused" ? view.open : [];
  return asked && postedFor(asked, await host.inbox.unread(row.id));
}

/** A run that still goes on may yet commit more. */
function requireEnd({ row }: RunSeen, answer: EarlierAnswer | undefined): void {
  if (answer) {
    throw new SignalboxError(
      "LAND_REFUSED",
      `The run ${row.id} has not ended: its question was answered (${answer.choice} by ${answer.by}), and no engine has gone on yet.`,
      `Let it go on with \`signalbox resume ${row.id}\`; it lands after its end.`,
    );
  }
  if (FINISHED.some((status) => status === row.status)) return;
  throw new SignalboxError(
    "LAND_REFUSED",
    `The run ${row.id} has not ended: it is ${row.status}${row.reason ? `, ${row.reason}` : ""}.`,
    `See what it waits for with \`signalbox status ${row.id}\`; it lands after its end. To take what is there: \`signalbox cancel ${row.id}\`, then \`signalbox land ${row.id} --unaccepted\`.`,
  );
}

function notAnchored({ store: { team }, row: { id: run }, view }: RunSeen, difference: Difference): SignalboxError {
  const { message, replaced } = difference;
  const commit = commitsIn(view).at(-1);
  const merge =
    commit && `git fetch ${team?.remote} signalbox/${run} && git log -p HEAD..${commit} && git merge ${commit}`;
  return new SignalboxError(
    "LAND_REFUSED",
    `The run ${run} does not land: ${message}.`,
    `${replaced ? `A clone that has seen the anchor, such as the worker's, puts it back with \`git push --force ${team?.remote} ${chainPlace(run)}\`. ` : ""}Its worker anchors the end as soon as it reaches the remote. Where that worker was stopped, start one in the same clone with \`signalbox worker\`, then \`signalbox land ${run}\`. An end that no such worker anchors may have been recorded by none: look at it with \`signalbox evidence ${run} --verify\`${merge ? `, and take the work by hand: \`${merge}\`` : ""}.`,
  );
}

/** Only what passed its gates was committed. */
function commitToLand({ row, view }: RunSeen): string {
  const commit = commitsIn(view).at(-1);
  if (commit !== undefined) return commit;
  const { unaccepted } = workOf(view);
  const see = `See why with \`signalbox status ${row.id}\``;
  throw new SignalboxError(
    "NOTHING_TO_LAND",
    `The run ${row.id} ended as ${row.status} and made no commit: there is nothing ${unaccepted ? "accepted " : ""}to land.`,
    unaccepted
      ? `${see}, look at what it left with \`signalbox diff ${row.id}\`, and take that with \`signalbox land ${row.id} --unaccepted\`.`
      : `${see}.`,
  );
}

type Conflict = {
  readonly run: string;
  readonly commit: string;
  readonly branch: string;
  readonly paths: readonly string[];
};

function conflicts({ run, commit, branch, paths }: Conflict): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `The run ${run} and ${branch} have changed the same places; nothing was moved:\n${paths.map((path) => `  ${path}`).join("\n")}`,
    `Merge by hand: git merge ${short(commit)}`,
  );
}

type CleanLanding = Exclude<Landing, { status: "conflicts" }>;

async function linesOf(
  { paint }: Call,
  { store, row, view }: RunSeen,
  landed: CleanLanding,
): Promise<readonly string[]> {
  const [run, { branch, checkout }] = [row.id, landed];
  if (landed.status === "already") {
    const back = landed.revertedBy;
    return [
      `${paint.green("✓")} ${branch} has the work of ${run} already${back ? `, and took it back in ${short(back)}` : ""}`,
      ...checkoutLines(paint, checkout),
      ...broughtLines(paint, landed.files),
      ...(back ? [`  next: ${paint.cyan(`git revert ${short(back)}`)}  # brings it again`] : []),
    ];
  }
  const written = await writtenPaths(store.host, run);
  const kept = await keptNow(store.places.top, { kept: keptFiles(view), written });
  const documents = await documentsAmong(landed.paths, { pipeline: view.pipeline, written });
  const how = landed.by === "merge" ? "by a merge commit" : "by moving it forward";
  return [
    `${paint.green("✓")} ${paint.bold(run)} landed on ${paint.bold(branch)} ${how}: ${short(landed.from)} → ${short(landed.to)}, ${files(landed.paths.length)}`,
    ...(row.submitter === undefined ? [] : [`  submitted by ${oneLine(row.submitter)}`]),
    ...landedLines(paint, { paths: landed.paths, documents }),
    ...foreignLines(paint, landed.others ?? []),
    ...doubtLines(paint, view),
    ...checkoutLines(paint, checkout),
    ...broughtLines(paint, landed.files),
    ...keptLines(paint, kept),
    ...(landed.by === "merge" ? [paint.yellow(`  ${unchecked(view)}`)] : []),
    paint.dim(`  undo: signalbox revert ${run}`),
  ];
}

/** Only the branch here was moved; the others of a team have it from the remote. */
function pushOf({ store: { team } }: RunSeen, { status, branch }: CleanLanding): string | undefined {
  return team && status === "landed" ? `git push ${team.remote} ${branch}` : undefined;
}

function pushLines({ paint }: Call, push: string | undefined): readonly string[] {
  return push === undefined ? [] : [`  next: ${paint.cyan(push)}  # only your branch has moved`];
}

/** What was checked is the run's commit: together with what the branch has got since it is another tree. */
function unchecked({ commands }: RunView): string {
  const lines = commands.map(({ run }) => oneLine(run));
  return `the merge was checked by nobody${lines.length > 0 ? `: run ${lines.join(" && ")}` : ""}`;
}
