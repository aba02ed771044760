import { join } from "node:path";
import type { RunRow } from "../../core/ports/host.ts";
import { createFolderMailbox } from "../../drivers/mailbox/folder-mailbox.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Presence, RunningCommand } from "../../views/run-status-text.ts";
import type { RunView } from "../../views/run-view.ts";
import { formatTakenRef, isTakenText } from "../../workspace/commit/take-tree.ts";
import { askGit } from "../project/ask-git.ts";
import { findLastStarted, listCheckCommands } from "../start/check-progress.ts";
import { describeQueue } from "../team/offers/shortage.ts";
import { isOwned, type RunStore } from "./run-store.ts";
import { readStartFlags } from "./start-flags.ts";
import { getLeftWork, isOnBranch } from "./unaccepted-commit.ts";

/**
 * Returns facts that no journal contains: whether the run is owned, which answers are unread, what became of its
 * commit.
 */
export async function collectPresence(store: RunStore, row: RunRow, view: RunView): Promise<Presence> {
  const messages = await store.host.inbox.unread(row.id);
  const answered = messages.flatMap(({ letter: signal }) => (signal.kind === "answer" ? [signal.approval] : []));
  return {
    owned: isOwned(store, row),
    answered: new Set(answered),
    ...(await locateWork(store, row.id, view)),
    // The flags are needed only to start an ended run again.
    startedWith: view.end?.type === "run.finished" ? await readStartFlags(store.places, row.id) : [],
    command: await findRunningCommand(store, row.id, view),
    ...(store.team ? { shared: true, queued: await describeQueue(store.team, row.id, store.world.now()) } : {}),
    untaken: view.agents.length === 0 ? 0 : await countUntakenDispatches(store, row.id),
  };
}

type WorkLocation = Pick<Presence, "landed" | "revertedBy">;

/** Returns where the work of an ended run is: its last commit, or a commit that a person took from unaccepted work. */
async function locateWork({ places }: RunStore, run: string, view: RunView): Promise<WorkLocation> {
  const { commits, end } = view;
  if (end?.type !== "run.finished") return {};
  const commit = (await findLocalTakenCommit(places.top, run, view)) ?? commits.at(-1)?.commit;
  if (!commit || !(await isOnBranch(places.top, commit))) return {};
  return { landed: true, revertedBy: await findRevert(places.top, commit) };
}

/** Reads this clone only. Displaying a run must not contact a remote. */
async function findLocalTakenCommit(top: string, run: string, view: RunView): Promise<string | undefined> {
  const work = getLeftWork(view);
  const found = work && (await askGit(top, ["rev-parse", "-q", "--verify", formatTakenRef(run)]));
  if (!work || !found || !("out" in found)) return undefined;
  const commit = found.out.trim();
  const read = await askGit(top, ["cat-file", "commit", commit]);
  return "out" in read && isTakenText(read.out, { run, ...work }) ? commit : undefined;
}

/** Finds the commit that reverted this one and still stands, by the sentence that git writes. */
async function findRevert(top: string, commit: string): Promise<string | undefined> {
  const sentence = `--grep=This reverts commit ${commit}`;
  const reply = await askGit(top, ["rev-list", "-1", "--fixed-strings", sentence, `${commit}..HEAD`]);
  const found = "out" in reply ? reply.out.trim() : "";
  if (found === "") return undefined;
  return (await findRevert(top, found)) === undefined ? found : undefined;
}

async function findRunningCommand(
  { places, world }: RunStore,
  run: string,
  view: Pick<RunView, "checking" | "commands" | "setup">,
): Promise<RunningCommand | undefined> {
  if (view.checking.length === 0) return undefined;
  const spools = join(places.runs, run, "spool");
  const begun = await findLastStarted(spools, listCheckCommands(world, view)).catch(() => undefined);
  // A command that began before the current step belongs to an earlier check and has ended.
  const first = Math.min(...view.checking.map(({ since }) => since));
  if (!begun || begun.since < first - CLOCK_SKEW_MS) return undefined;
  const { name, run: line } = begun.command;
  return { name, run: toOneLine(line, 60), since: begun.since, now: world.now() };
}

/** Files and records are dated by different clocks. */
const CLOCK_SKEW_MS = 1_000;

async function countUntakenDispatches({ places, world }: RunStore, run: string): Promise<number> {
  const rows = await createFolderMailbox({ dir: places.mailbox, now: world.now }).list();
  return rows.filter((row) => row.run === run && row.takenBy === null).length;
}
