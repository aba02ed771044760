import type { Presence } from "../../run-status-text.ts";
import type { RunView } from "../../run-view.ts";
import { workOf } from "../../unaccepted-work.ts";
import type { PageHead } from "../page.ts";
import type { RunState } from "./run-state.ts";

type WaitsFor = PageHead["waitsFor"];

const NOBODY = "nobody";
const YOU = "you";

/** What a run waits for, since when, and whom it needs for that. */
export function waitsFor(view: RunView, presence: Presence, { state, because }: RunState): WaitsFor {
  const since = view.end?.ts ?? view.lastAt;
  switch (state) {
    case "running":
      return { text: because, since: workingSince(view, presence), needs: NOBODY };
    case "waiting":
      return asked(view, presence) ?? { text: because, since, needs: YOU };
    case "queued":
      return { text: because, since, needs: "an engine: resume it" };
    case "stale":
      return { text: "nobody works on it: its engine is gone", since, needs: "an engine: resume it" };
    case "paused":
    case "interrupted":
      return { text: because, since, needs: `${YOU}, to resume it` };
    default:
      return view.end?.type === "run.finished"
        ? ended(view, presence)
        : { text: "a repaired pipeline", since, needs: `${YOU}, to repair it and resume` };
  }
}

function asked({ open }: RunView, { answered }: Presence): WaitsFor | undefined {
  const [first, ...more] = open.filter(({ approval }) => !answered.has(approval));
  if (!first) return undefined;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return { text: `${first.title}${others}`, since: first.ts, needs: YOU };
}

/** The longest of what is under way now. */
function workingSince({ agents, checking, lastAt }: RunView, { command }: Presence): number {
  const checks = command ? [command.since] : checking.map(({ since }) => since);
  return Math.min(...agents.map(({ startedAt }) => startedAt), ...checks, lastAt);
}

/** Work that somebody can still take is waited for; the rest is over. */
function ended(view: RunView, { landed = false, revertedBy }: Presence): WaitsFor {
  const since = view.end?.ts ?? view.lastAt;
  const { accepted, unaccepted } = workOf(view);
  if (landed || revertedBy !== undefined) return { text: "nothing: it is over", since, needs: NOBODY };
  if (accepted) return { text: "its commit to be landed", since, needs: YOU };
  if (unaccepted) return { text: "somebody to look at what it left", since, needs: YOU };
  return { text: "nothing: it is over", since, needs: NOBODY };
}
