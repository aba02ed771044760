import { PREFLIGHT } from "../core/authoring/preflight.ts";
import { quoteShellWord } from "../core/text/shell-word.ts";
import type { OpenApproval } from "./questions.ts";
import type { RunView } from "./run-view.ts";
import { getRunWork } from "./unaccepted-work.ts";

const MINUTE_MS = 60_000;

/** Facts about a run at this moment that its journal cannot contain. */
export type Presence = {
  readonly owned: boolean;
  /** Questions with an answer that no engine has read yet. */
  readonly answered: ReadonlySet<string>;
  /** The person's branch contains its commit, or its unaccepted work. */
  readonly landed?: boolean;
  /** The commit of that branch that reverted it. */
  readonly revertedBy?: string | undefined;
  /** Flags needed to start the run again: agent assignments that were given on the command line of this run only. */
  readonly startedWith?: readonly string[];
  /** Dispatches in the mailbox that no agent has claimed. */
  readonly untaken?: number;
  /** The run belongs to a team. A run without a worker is picked up by the next free one. */
  readonly shared?: boolean;
  /** In a team: what of the run waits for a worker, and why no worker has taken it. */
  readonly queued?: string | undefined;
  /** The project command that started last, while a check is running. */
  readonly command?: RunningCommand | undefined;
};

/** A running project command. `now` is the time of the observation. */
export type RunningCommand = {
  readonly name: string;
  readonly run: string;
  readonly since: number;
  readonly now: number;
};

/** The status of a run, the reason for it, and the commands a person can run next. */
export type StatusReport = { readonly status: string; readonly because: string; readonly next: readonly string[] };

export function describeStatus(view: RunView, presence: Presence): StatusReport {
  const { end, run } = view;
  if (end?.type === "run.finished") return describeFinishedRun(view, presence);
  if (presence.owned) return describeRunningRun(view, presence);
  if (presence.queued !== undefined) return describeQueuedRun(view, presence.queued);
  const status = resolveStatus(view.status, presence.owned);
  if (presence.shared && isPickedUpByWorker(view))
    return { status, because: NO_WORKER, next: [`signalbox events ${run} --follow`] };
  if (!end) return { status, because: NO_END_RECORD, next: [`signalbox resume ${run}`] };
  return { status, because: explainSuspension(view, presence), next: listResumeCommands(view, presence) };
}

function describeQueuedRun({ run }: RunView, because: string): StatusReport {
  return { status: "queued", because, next: [`signalbox events ${run} --follow`, `signalbox cancel ${run}`] };
}

/** Returns the current status: a run recorded as running that no engine owns is `stopped`. */
export function resolveStatus(recorded: string, owned: boolean): string {
  return recorded === "running" && !owned ? "stopped" : recorded;
}

/**
 * Returns whether the next worker of a team picks up the run: its worker died or was stopped, and no other reason
 * suspends it.
 */
function isPickedUpByWorker({ end }: RunView): boolean {
  return !end || (end.type === "run.suspended" && end.status === "interrupted" && end.code === undefined);
}

const NO_WORKER =
  "no worker is running it: the previous one died or was stopped. The next free worker picks it up; `signalbox doctor` lists the workers";

/**
 * The engine was killed or could not write its last record. After a full disk the error appears only where the run was
 * started.
 */
const NO_END_RECORD =
  "its engine ended without a final record: it was killed, or could not write (check for a full disk: df -h .). Nothing is running, and no recorded work is lost";

/** Returns the commands that answer a question, one per choice, in the question's own order. */
export function formatChoiceCommands({
  approval,
  choices,
  words = [],
  revises,
  pause,
  run,
}: OpenApproval): readonly string[] {
  if (pause) return [`signalbox resume ${run}`];
  const note = (choice: string) => (words.includes(choice) || choice === revises ? ' --note "…"' : "");
  return choices.map((choice) => `signalbox approve ${approval} --choose ${quoteShellWord(choice)}${note(choice)}`);
}

/** Lists the command that shows the question first, then the commands that answer it. */
function listAnswerCommands(run: string, open: readonly OpenApproval[]): readonly string[] {
  return open.length === 0 ? [] : [`signalbox why ${run}`, ...open.flatMap(formatChoiceCommands)];
}

function describeFinishedRun(view: RunView, presence: Presence): StatusReport {
  const { end, run, status, commits } = view;
  const commit = commits.at(-1);
  const result =
    end?.reason ?? (commit ? `committed ${commit.commit.slice(0, 10)} on ${commit.branch}` : "the pipeline finished");
  const because = `${result}${formatLanding(presence)}`;
  const ownSteps = end?.type === "run.finished" ? (end.next ?? []) : [];
  const own = ownSteps.length > 0 ? ownSteps : listNextSteps(view);
  const { first, last } = listLandingCommands(view, presence);
  // Suggest landing based only on where the work is.
  const next = [...first, ...own.filter((line) => line !== `signalbox land ${run}`), ...last];
  return { status, because, next: [...new Set(next)].map((line) => addStartFlags(line, presence)) };
}

/** Adds the flags of this run to a command that starts a run, so that it works as printed. */
function addStartFlags(line: string, { startedWith = [] }: Presence): string {
  return line.startsWith("signalbox run ") ? [line, ...startedWith].join(" ") : line;
}

function listNextSteps({ status, run }: RunView): readonly string[] {
  if (status === "done") return [];
  if (status === "blocked" || status === "stalled") return ["fix the reported problem, then run the pipeline again"];
  return [`signalbox why ${run}`];
}

function formatLanding({ landed = false, revertedBy }: Presence): string {
  if (revertedBy !== undefined) return `; reverted on your branch in ${revertedBy.slice(0, 10)}`;
  return landed ? "; landed on your branch" : "";
}

/** Returns the commands that show and land the work. They are offered for every end, so that no work is lost. */
function listLandingCommands(view: RunView, { landed = false, revertedBy }: Presence): LandingCommands {
  const { run, pipeline } = view;
  const { accepted, unaccepted } = getRunWork(view);
  if (revertedBy !== undefined) return { first: [], last: [`git revert ${revertedBy.slice(0, 10)}  # restores it`] };
  const first = accepted && !landed ? [`signalbox land ${run}`] : [];
  if (!unaccepted || (landed && !accepted)) return { first, last: [] };
  const again = findPhaseToRepeat(view);
  const last = [
    `signalbox diff ${run}${accepted ? " --unaccepted" : ""}`,
    `signalbox land ${run} --unaccepted`,
    ...(again === undefined ? [] : [`signalbox run ${pipeline} --from ${quoteShellWord(`${run}:${again}`)}`]),
  ];
  return { first, last };
}

/** Commands to list before and after the run's own next steps. */
type LandingCommands = { readonly first: readonly string[]; readonly last: readonly string[] };

/** Returns the phase in which the run stopped. Earlier phases need not be repeated. */
function findPhaseToRepeat({ phases }: RunView): string | undefined {
  const begun = phases.filter(({ title, startedAt }) => title !== PREFLIGHT && startedAt !== undefined);
  return begun.length > 1 ? begun.at(-1)?.title : undefined;
}

function describeRunningRun(view: RunView, presence: Presence): StatusReport {
  const open = view.open.filter((approval) => !presence.answered.has(approval.approval));
  if (open.length > 0 && view.agents.length === 0) {
    return { status: "waiting", because: open[0]?.title ?? "", next: listAnswerCommands(view.run, open) };
  }
  const waits = view.agents.length === 0 ? view.resting.find(({ usedUp }) => usedUp) : undefined;
  const phase = view.phases.find((each) => each.state === "current")?.title;
  const who = describeActivity(view, presence);
  return {
    status: "running",
    because:
      presence.queued ?? (waits ? `the agent's usage limit is reached: ${waits.because}` : formatActivity(who, phase)),
    next: [`signalbox events ${view.run} --follow`],
  };
}

const formatActivity = (who: string, phase: string | undefined): string => (phase ? `${who} in ${phase}` : who);

/** Describes what is running. Dispatches that no agent has claimed from the mailbox are not counted as running. */
function describeActivity({ agents: begun, checking }: RunView, { untaken = 0, command }: Presence): string {
  const agents = Math.max(0, begun.length - untaken);
  const posted = `${untaken} dispatch${untaken === 1 ? " waits" : "es wait"} in the mailbox`;
  const engine = checking.length === 0 ? "the engine is running" : describeCheck(command);
  const working = agents === 0 ? engine : `${agents} agent${agents === 1 ? " is" : "s are"} running`;
  if (untaken === 0) return working;
  return agents === 0 ? posted : `${working}, ${posted}`;
}

/** Names the running command and its duration, so that a silent check does not look like a stalled run. */
function describeCheck(command: RunningCommand | undefined): string {
  if (!command) return "the engine is running the project's checks";
  const seconds = Math.max(0, Math.round((command.now - command.since) / 1000));
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${command.name} (${command.run}) has been running for ${time}`;
}

/** Returns why the run is suspended. A question with an answer is no longer waited for. */
function explainSuspension({ end, open }: RunView, { answered }: Presence): string {
  const isAnswered =
    end?.status === "waiting" && open.length > 0 && open.every(({ approval }) => answered.has(approval));
  if (isAnswered) return "its question is answered; it continues when it is resumed";
  const reason = end?.reason ?? "";
  if (end?.type !== "run.suspended" || !end.code?.startsWith("REMOTE_")) return reason;
  return `waiting for the git remote since ${formatMinute(end.ts)}. Run \`signalbox resume ${end.run}\` when the remote is reachable: ${reason}`;
}

/** Formats in UTC, because readers may be in another time zone than the worker. */
const formatMinute = (ts: number): string => `${new Date(ts).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function listResumeCommands(view: RunView, { answered }: Presence): string[] {
  const { run, end, limits } = view;
  const resume = `signalbox resume ${run}`;
  if (end?.status === "waiting") {
    const open = view.open.filter((approval) => !answered.has(approval.approval));
    return [...listAnswerCommands(run, open), ...(open.some((approval) => approval.pause) ? [] : [resume])];
  }
  // A higher budget does not lift the agent's usage limit.
  if (end?.status === "budget" && view.resting.some(({ usedUp }) => usedUp)) return [resume];
  if (end?.status === "budget") {
    return limits.usd === undefined
      ? [`${resume} --max-dispatches ${2 * (limits.dispatches ?? 10)}`]
      : [`${resume} --budget ${2 * limits.usd}`];
  }
  // Adds the whole time limit to the time already used: a smaller limit would be used up at once.
  if (end?.status === "time") {
    const minutes = Math.ceil((view.workedMs + (limits.timeMs ?? MINUTE_MS)) / MINUTE_MS);
    return [`${resume} --max-time ${minutes}m`];
  }
  return [resume];
}
