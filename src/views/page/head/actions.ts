import { PREFLIGHT } from "../../../core/authoring/preflight.ts";
import type { Presence } from "../../run-status-text.ts";
import type { RunView } from "../../run-view.ts";
import { workOf } from "../../unaccepted-work.ts";
import type { PageAction } from "../page.ts";

/** What a person can do with a run now; what cannot be done says why. */
export function actionsOf(view: RunView, presence: Presence): readonly PageAction[] {
  return ACTIONS.map(({ id, label, off }) => ({ id, label, off: off(view, presence) }));
}

type Rule = Pick<PageAction, "id" | "label"> & { readonly off: (view: RunView, presence: Presence) => string | null };

const isOver = ({ end }: RunView): boolean => end?.type === "run.finished";
/** An engine would only wait with it; a pause is no question, and resuming is its answer. */
const isAsked = ({ open }: RunView, { answered }: Presence): boolean =>
  open.some(({ approval, pause }) => pause !== true && !answered.has(approval));
const OVER = "the run has ended";

const ACTIONS: readonly Rule[] = [
  {
    id: "resume",
    label: "Resume",
    off: (view, presence) => {
      if (isOver(view)) return OVER;
      if (presence.owned) return "an engine is at work on it";
      return isAsked(view, presence) ? "an answer lets it go on" : null;
    },
  },
  {
    id: "pause",
    label: "Pause",
    off: (view, { owned }) => (isOver(view) ? OVER : owned ? null : "nobody works on it"),
  },
  {
    id: "stop",
    label: "Stop an agent",
    off: (view, { owned }) => {
      if (isOver(view)) return OVER;
      return owned && view.agents.length > 0 ? null : "no agent is at work";
    },
  },
  { id: "cancel", label: "Cancel", off: (view) => (isOver(view) ? OVER : null) },
  { id: "land", label: "Land", off: (view, presence) => notLanding(view, presence) },
  {
    id: "revert",
    label: "Revert",
    off: (_view, { landed = false, revertedBy }) => {
      if (revertedBy !== undefined) return "your branch took it back already";
      return landed ? null : "your branch does not have it";
    },
  },
  {
    id: "fork",
    label: "Run again from a phase",
    off: ({ phases }) =>
      phases.some(({ title, startedAt }) => title !== PREFLIGHT && startedAt !== undefined)
        ? null
        : "no phase has begun",
  },
];

function notLanding(view: RunView, { landed = false, revertedBy }: Presence): string | null {
  if (!isOver(view)) return "the run has not ended";
  if (revertedBy !== undefined) return "your branch took it back";
  if (landed) return "your branch has it";
  const { accepted, unaccepted } = workOf(view);
  if (accepted) return null;
  return unaccepted ? "no gate let its work through: signalbox land --unaccepted" : "it has made nothing to land";
}
