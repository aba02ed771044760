import { PREFLIGHT } from "../core/authoring/preflight.ts";
import { shellWord } from "../core/text/shell-word.ts";
import type { OpenApproval } from "./questions.ts";
import type { RunView } from "./run-view.ts";
import { workOf } from "./unaccepted-work.ts";

const MINUTE_MS = 60_000;

/** Who works on the run at this moment, which no journal can know. */
export type Presence = {
  readonly owned: boolean;
  /** Questions with an answer that no engine has read yet. */
  readonly answered: ReadonlySet<string>;
  /** The person's branch has its commit, or what it left. */
  readonly landed?: boolean;
  /** The later commit of that branch that took it back. */
  readonly revertedBy?: string | undefined;
  /** Flags that a line needs which starts such a run again: who plays, where only this run's own call said it. */
  readonly startedWith?: readonly string[];
  /** Dispatches in the mailbox that nobody has taken. */
  readonly untaken?: number;
  /** Its engines are a team's workers: what none of them has, the next one takes by itself. */
  readonly shared?: boolean;
  /** In a team: what of it waits for a worker, and why none has taken it. */
  readonly queued?: string | undefined;
  /** The project's command that was started last, while a check is under way. */
  readonly command?: CommandAtWork | undefined;
};

/** `now` is when somebody looked. */
export type CommandAtWork = {
  readonly name: string;
  readonly run: string;
  readonly since: number;
  readonly now: number;
};

/** Where a run stands: every state has a because, and what a person can do next. */
export type Standing = { readonly status: string; readonly because: string; readonly next: readonly string[] };

export function standingOf(view: RunView, presence: Presence): Standing {
  const { end, run } = view;
  if (end?.type === "run.finished") return finished(view, presence);
  if (presence.owned) return atWork(view, presence);
  if (presence.queued !== undefined) return queuedRun(view, presence.queued);
  const status = statusNow(view.status, presence.owned);
  if (presence.shared && isTakenUp(view))
    return { status, because: UNTAKEN, next: [`signalbox events ${run} --follow`] };
  if (!end) return { status, because: UNRECORDED, next: [`signalbox resume ${run}`] };
  return { status, because: restingFor(view, presence), next: nextOf(view, presence) };
}

function queuedRun({ run }: RunView, because: string): Standing {
  return { status: "queued", because, next: [`signalbox events ${run} --follow`, `signalbox cancel ${run}`] };
}

/** `stopped`: nobody drives it any more, and nobody has said why. */
export function statusNow(recorded: string, owned: boolean): string {
  return recorded === "running" && !owned ? "stopped" : recorded;
}

/** Of a team's run: its worker has died, or was told to stop, and no reason of its own keeps it. */
function isTakenUp({ end }: RunView): boolean {
  return !end || (end.type === "run.suspended" && end.status === "interrupted" && end.code === undefined);
}

const UNTAKEN =
  "no worker has it at this moment: the one before has died or was told to stop. The next one that is free takes it by itself; `signalbox doctor` says who is there";

/** It was killed, or could not write its last record: on a full disk it says so where it was started, and nowhere else. */
const UNRECORDED =
  "its engine ended without a record: it was killed, or could not write (a full disk does that: df -h .); nothing is executing, and nothing recorded is lost";

/** What answers a question: a line to paste for each choice, none before the others but by the question's own order. */
export function choiceLines({ approval, choices, words = [], revises, pause, run }: OpenApproval): readonly string[] {
  if (pause) return [`signalbox resume ${run}`];
  const note = (choice: string) => (words.includes(choice) || choice === revises ? ' --note "…"' : "");
  return choices.map((choice) => `signalbox approve ${approval} --choose ${shellWord(choice)}${note(choice)}`);
}

/** Whoever is asked looks first, and then has all the answers. */
function answering(run: string, open: readonly OpenApproval[]): readonly string[] {
  return open.length === 0 ? [] : [`signalbox why ${run}`, ...open.flatMap(choiceLines)];
}

function finished(view: RunView, presence: Presence): Standing {
  const { end, run, status, commits } = view;
  const commit = commits.at(-1);
  const came =
    end?.reason ??
    (commit ? `committed ${commit.commit.slice(0, 10)} on ${commit.branch}` : "the pipeline came to its end");
  const because = `${came}${whereabouts(presence)}`;
  const said = end?.type === "run.finished" ? (end.next ?? []) : [];
  const own = said.length > 0 ? said : ownNext(view);
  const { first, last } = takingLines(view, presence);
  // Where the work is decides alone whether it is to be landed.
  const next = [...first, ...own.filter((line) => line !== `signalbox land ${run}`), ...last];
  return { status, because, next: [...new Set(next)].map((line) => startedAgain(line, presence)) };
}

/** A line that starts a run works as it is printed. */
function startedAgain(line: string, { startedWith = [] }: Presence): string {
  return line.startsWith("signalbox run ") ? [line, ...startedWith].join(" ") : line;
}

function ownNext({ status, run }: RunView): readonly string[] {
  if (status === "done") return [];
  if (status === "blocked" || status === "stalled") return ["repair what it names, then run the pipeline again"];
  return [`signalbox why ${run}`];
}

function whereabouts({ landed = false, revertedBy }: Presence): string {
  if (revertedBy !== undefined) return `; your branch took it back in ${revertedBy.slice(0, 10)}`;
  return landed ? "; your branch has it" : "";
}

/** How its work is looked at and taken, whatever the end: nothing that was made is lost. */
function takingLines(view: RunView, { landed = false, revertedBy }: Presence): Taking {
  const { run, pipeline } = view;
  const { accepted, unaccepted } = workOf(view);
  if (revertedBy !== undefined)
    return { first: [], last: [`git revert ${revertedBy.slice(0, 10)}  # brings it again`] };
  const first = accepted && !landed ? [`signalbox land ${run}`] : [];
  if (!unaccepted || (landed && !accepted)) return { first, last: [] };
  const again = phaseToRepeat(view);
  const last = [
    `signalbox diff ${run}${accepted ? " --unaccepted" : ""}`,
    `signalbox land ${run} --unaccepted`,
    ...(again === undefined ? [] : [`signalbox run ${pipeline} --from ${shellWord(`${run}:${again}`)}`]),
  ];
  return { first, last };
}

/** Before and after what the run's own end asks for. */
type Taking = { readonly first: readonly string[]; readonly last: readonly string[] };

/** The phase in which it stopped: what came before it need not be done again. */
function phaseToRepeat({ phases }: RunView): string | undefined {
  const begun = phases.filter(({ title, startedAt }) => title !== PREFLIGHT && startedAt !== undefined);
  return begun.length > 1 ? begun.at(-1)?.title : undefined;
}

function atWork(view: RunView, presence: Presence): Standing {
  const open = view.open.filter((approval) => !presence.answered.has(approval.approval));
  if (open.length > 0 && view.agents.length === 0) {
    return { status: "waiting", because: open[0]?.title ?? "", next: answering(view.run, open) };
  }
  const waits = view.agents.length === 0 ? view.resting.find(({ usedUp }) => usedUp) : undefined;
  const phase = view.phases.find((each) => each.state === "current")?.title;
  const who = whoWorks(view, presence);
  return {
    status: "running",
    because: presence.queued ?? (waits ? `its usage window is used up: ${waits.because}` : inPhase(who, phase)),
    next: [`signalbox events ${view.run} --follow`],
  };
}

const inPhase = (who: string, phase: string | undefined): string => (phase ? `${who} in ${phase}` : who);

/** What nobody has taken out of the mailbox, nobody works on. */
function whoWorks({ agents: begun, checking }: RunView, { untaken = 0, command }: Presence): string {
  const agents = Math.max(0, begun.length - untaken);
  const posted = `${untaken} dispatch${untaken === 1 ? " waits" : "es wait"} in the mailbox for somebody to take`;
  const engine = checking.length === 0 ? "the engine is at work" : checkingText(command);
  const working = agents === 0 ? engine : `${agents} agent${agents === 1 ? " is" : "s are"} at work`;
  if (untaken === 0) return working;
  return agents === 0 ? posted : `${working}, ${posted}`;
}

/** Which of the project's commands, and for how long: minutes of a silent check must not look like a standstill. */
function checkingText(command: CommandAtWork | undefined): string {
  if (!command) return "the engine runs the project's checks";
  const seconds = Math.max(0, Math.round((command.now - command.since) / 1000));
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${command.name} (${command.run}) has been running for ${time}`;
}

/** A question that has its answer is no longer what is waited for. */
function restingFor({ end, open }: RunView, { answered }: Presence): string {
  const isAnswered =
    end?.status === "waiting" && open.length > 0 && open.every(({ approval }) => answered.has(approval));
  if (isAnswered) return "what it asked is answered, and goes on with the next engine";
  const reason = end?.reason ?? "";
  if (end?.type !== "run.suspended" || !end.code?.startsWith("REMOTE_")) return reason;
  return `it waits for the git remote since ${minuteOf(end.ts)}, and goes on with \`signalbox resume ${end.run}\` when that answers: ${reason}`;
}

/** Of no zone in particular: whoever looks may sit elsewhere than the worker that wrote it. */
const minuteOf = (ts: number): string => `${new Date(ts).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function nextOf(view: RunView, { answered }: Presence): string[] {
  const { run, end, limits } = view;
  const resume = `signalbox resume ${run}`;
  if (end?.status === "waiting") {
    const open = view.open.filter((approval) => !answered.has(approval.approval));
    return [...answering(run, open), ...(open.some((approval) => approval.pause) ? [] : [resume])];
  }
  // More of our own budget opens no window.
  if (end?.status === "budget" && view.resting.some(({ usedUp }) => usedUp)) return [resume];
  if (end?.status === "budget") {
    return limits.usd === undefined
      ? [`${resume} --max-dispatches ${2 * (limits.dispatches ?? 10)}`]
      : [`${resume} --budget ${2 * limits.usd}`];
  }
  // As much again as there was, on top of what is gone: less would be used up before it began.
  if (end?.status === "time") {
    const minutes = Math.ceil((view.workedMs + (limits.timeMs ?? MINUTE_MS)) / MINUTE_MS);
    return [`${resume} --max-time ${minutes}m`];
  }
  return [resume];
}
