import type { OpenApproval, RunView } from "./run-view.ts";

/** Who works on the run at this moment, which no journal can know. */
export type Presence = { readonly owned: boolean; readonly answered: ReadonlySet<string> };

/** Where a run stands: every state has a because, and what a person can do next. */
export type Standing = { readonly status: string; readonly because: string; readonly next: readonly string[] };

export function standingOf(view: RunView, presence: Presence): Standing {
  const { end, run } = view;
  if (end?.type === "run.finished") return finished(view);
  if (presence.owned) return atWork(view, presence);
  if (!end) {
    return {
      status: "stopped",
      because: "its engine is gone without a word: nothing is executing, and nothing recorded is lost",
      next: [`signalbox resume ${run}`],
    };
  }
  return { status: end.status, because: end.reason, next: nextOf(view, presence) };
}

/** What answers a question: a line to paste for each choice, none before the others but by the question's own order. */
export function choiceLines({ approval, choices, pause, run }: OpenApproval): readonly string[] {
  if (pause) return [`signalbox resume ${run}`];
  return choices.map((choice) => `signalbox approve ${approval} --choose ${word(choice)}`);
}

/** Whoever is asked looks first, and then has all the answers. */
function answering(run: string, open: readonly OpenApproval[]): readonly string[] {
  return open.length === 0 ? [] : [`signalbox why ${run}`, ...open.flatMap(choiceLines)];
}

/** A choice as a shell takes it. */
function word(choice: string): string {
  return /^[\w-]+$/.test(choice) ? choice : `"${choice}"`;
}

function finished(view: RunView): Standing {
  const { end, run, commit } = view;
  const status = end?.status ?? "";
  const because =
    end?.reason ??
    (commit ? `committed ${commit.commit.slice(0, 10)} on ${commit.branch}` : "the pipeline came to its end");
  if (end?.type === "run.finished" && end.next) return { status, because, next: end.next };
  if (status === "done") return { status, because, next: commit ? [`signalbox land ${run}`] : [] };
  if (status === "blocked" || status === "stalled") {
    return { status, because, next: ["repair what it names, then run the pipeline again"] };
  }
  return { status, because, next: [`signalbox why ${run}`] };
}

function atWork(view: RunView, presence: Presence): Standing {
  const open = view.open.filter((approval) => !presence.answered.has(approval.approval));
  if (open.length > 0 && view.agents.length === 0) {
    return { status: "waiting", because: open[0]?.title ?? "", next: answering(view.run, open) };
  }
  const waits = view.agents.length === 0 ? view.resting.find(({ usedUp }) => usedUp) : undefined;
  const phase = view.phases.find((each) => each.state === "current")?.title;
  const agents = view.agents.length;
  const who = agents === 0 ? "the engine is at work" : `${agents} agent${agents === 1 ? " is" : "s are"} at work`;
  return {
    status: "running",
    because: waits ? `its usage window is used up: ${waits.because}` : phase ? `${who} in ${phase}` : who,
    next: [`signalbox events ${view.run} --follow`],
  };
}

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
  if (end?.status === "time") return [`${resume} --max-time ${Math.ceil((2 * (limits.timeMs ?? 60_000)) / 60_000)}m`];
  return [resume];
}
