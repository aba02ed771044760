import { SignalboxError } from "../../core/failure/errors.ts";
import type { Identity } from "../../core/journal/identity.ts";
import type { FinalWork, Workspace } from "../../core/ports/workspace.ts";
import { addTrailer } from "../../core/text/trailers.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { RunView } from "../../views/run-view.ts";
import { getRunWork, type UnacceptedWork } from "../../views/unaccepted-work.ts";
import { isTakenText, UNACCEPTED } from "../../workspace/commit/take-tree.ts";
import type { Call } from "../call.ts";
import { listCommits } from "../inspect/commit-trailer.ts";
import { askConsent } from "../output/terminal-prompt.ts";
import { askGit } from "../project/ask-git.ts";
import { getUserName } from "../project/git-identity.ts";
import type { ViewedRun } from "./with-run.ts";

type UnacceptedWorkInputs = ViewedRun & { readonly workspace: Workspace; readonly identity: Identity | undefined };

/**
 * Commits work that no gate accepted, if a person requests it by flag or confirms it. The commit records who did and
 * why it was not accepted. Returns undefined if accepted work is to be landed instead.
 */
export async function commitUnaccepted(
  call: Call,
  taker: UnacceptedWorkInputs,
  flags: { readonly unaccepted?: boolean },
): Promise<string | undefined> {
  const { store, row, view } = taker;
  const { accepted, unaccepted } = getRunWork(view);
  if (!unaccepted) {
    if (flags.unaccepted) throw createNothingLeftError(row.id, accepted !== undefined);
    return undefined;
  }
  const taken = await findTakenCommit(taker);
  if (flags.unaccepted) return taken ?? createUnacceptedCommit(taker, unaccepted);
  if (accepted) return undefined;
  // No question is asked for work that the branch already contains.
  if (taken !== undefined && (await isOnBranch(store.places.top, taken))) return taken;
  if (!call.terminal || !(await confirmUnaccepted(unaccepted))) return undefined;
  return taken ?? createUnacceptedCommit(taker, unaccepted);
}

/**
 * Finds the commit with unaccepted work that a person took, by the run's ref or on the branch it was landed on. The
 * journal decides if it matches.
 */
export async function findTakenCommit({
  store: { places },
  row: { id: run },
  view,
  workspace,
}: ViewedRun & { readonly workspace: Pick<Workspace, "taken"> }): Promise<string | undefined> {
  const work = getLeftWork(view);
  return work && ((await workspace.taken(run, work)) ?? findLanded(places.top, { run, ...work }));
}

/** Limit on the commits that claim to belong to the run. */
const MAX_COMMITS = 20;

async function findLanded(top: string, work: FinalWork & { readonly run: string }): Promise<string | undefined> {
  // The base of a submitted run is chosen by its submitter, so it is validated.
  if (!/^[0-9a-f]{40,64}$/.test(work.parent)) return undefined;
  const named = ["--fixed-strings", `--grep=Signalbox-Run: ${work.run}`, `${work.parent}..HEAD`];
  const listed = await askGit(top, ["rev-list", `--max-count=${MAX_COMMITS}`, ...named]);
  const commits = "out" in listed ? listed.out.split("\n").filter(Boolean) : [];
  for (const commit of commits) {
    const read = await askGit(top, ["cat-file", "commit", commit]);
    if ("out" in read && isTakenText(read.out, work)) return commit;
  }
  return undefined;
}

/** Returns the tree and the parent that such a commit must have. */
export function getLeftWork(view: RunView): FinalWork | undefined {
  const tree = getRunWork(view).unaccepted?.tree;
  return tree === undefined ? undefined : { tree, parent: listCommits(view).at(-1) ?? view.base.commit };
}

export async function isOnBranch(top: string, commit: string): Promise<boolean> {
  return "out" in (await askGit(top, ["merge-base", "--is-ancestor", commit, "HEAD"]));
}

const confirmUnaccepted = ({ why }: UnacceptedWork): Promise<boolean> =>
  askConsent(`Its gates did not accept it: ${toOneLine(why, 200)}. Use it anyway?`, { otherwise: false });

function createUnacceptedCommit(
  { row, view, store, workspace, identity }: UnacceptedWorkInputs,
  { tree, why }: UnacceptedWork,
): Promise<string> {
  const request = typeof view.input === "object" && view.input !== null && "request" in view.input ? view.input : {};
  const subject = toOneLine(String(request["request"] ?? `Unaccepted work of ${row.pipeline}`), SUBJECT_LENGTH);
  const body = `Unaccepted work of run ${row.id} (${row.pipeline}): ${toOneLine(why, 600)}`;
  const message = addTrailer(`${subject}\n\n${body}`, `${UNACCEPTED}: taken by ${getUserName()}`);
  const parent = listCommits(view).at(-1) ?? view.base.commit;
  const order = { run: row.id, tree, message: store.world.redact(message), parent, date: store.world.now() };
  return workspace.take({ ...order, ...(identity ? { identity } : {}) });
}

const SUBJECT_LENGTH = 72;

function createNothingLeftError(run: string, accepted: boolean): SignalboxError {
  return new SignalboxError(
    "NOTHING_TO_LAND",
    `Run ${run} has no unaccepted work.`,
    accepted
      ? `Land the accepted work: \`signalbox land ${run}\`.`
      : `See what it did with \`signalbox status ${run}\`.`,
  );
}
