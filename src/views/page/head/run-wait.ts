import type { Presence } from "../../run-status-text.ts";
import type { RunView } from "../../run-view.ts";
import { getRunWork } from "../../unaccepted-work.ts";
import type { PageHead } from "../page.ts";
import type { RunState } from "./run-state.ts";

type WaitsFor = PageHead["waitsFor"];

const NOBODY = "nobody";
const YOU = "you";

/** Describes what a run waits for, since when, and whose action it needs. */
export function describeWait(view: RunView, presence: Presence, { state, because }: RunState): WaitsFor {
  const since = view.end?.ts ?? view.lastAt;
  switch (state) {
    case "running":
      return { text: because, since: getActiveSince(view, presence), needs: NOBODY };
    case "waiting":
      return describeQuestionWait(view, presence) ?? { text: because, since, needs: YOU };
    case "queued":
      return { text: because, since, needs: "an engine: resume the run" };
    case "stale":
      return { text: "its engine is gone", since, needs: "an engine: resume the run" };
    case "paused":
    case "interrupted":
      return { text: because, since, needs: `${YOU}, to resume the run` };
    default:
      return view.end?.type === "run.finished"
        ? describeEndWait(view, presence)
        : { text: "waiting for a fix of the pipeline", since, needs: `${YOU}, to fix the pipeline and resume` };
  }
}

function describeQuestionWait({ open }: RunView, { answered }: Presence): WaitsFor | undefined {
  const [first, ...more] = open.filter(({ approval }) => !answered.has(approval));
  if (!first) return undefined;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return { text: `${first.title}${others}`, since: first.ts, needs: YOU };
}

/** Returns when the oldest activity in progress started. */
function getActiveSince({ agents, checking, lastAt }: RunView, { command }: Presence): number {
  const checks = command ? [command.since] : checking.map(({ since }) => since);
  return Math.min(...agents.map(({ startedAt }) => startedAt), ...checks, lastAt);
}

/** Work that can still be landed is waited for. Otherwise the run waits for nothing. */
function describeEndWait(view: RunView, { landed = false, revertedBy }: Presence): WaitsFor {
  const since = view.end?.ts ?? view.lastAt;
  const { accepted, unaccepted } = getRunWork(view);
  if (landed || revertedBy !== undefined) return { text: "nothing to do", since, needs: NOBODY };
  if (accepted) return { text: `committed on ${accepted.branch}, not landed yet`, since, needs: YOU };
  if (unaccepted) return { text: "left work that no gate accepted", since, needs: YOU };
  return { text: "nothing to do", since, needs: NOBODY };
}
