import { PREFLIGHT } from "../../../core/authoring/preflight.ts";
import type { Presence } from "../../run-status-text.ts";
import type { RunView } from "../../run-view.ts";
import { getRunWork } from "../../unaccepted-work.ts";
import type { PageAction } from "../page.ts";

/** Lists what a person can do with the run now. A disabled action carries its reason. */
export function listActions(view: RunView, presence: Presence): readonly PageAction[] {
  return ACTIONS.map(({ id, label, off }) => ({ id, label, off: off(view, presence) }));
}

type ActionRule = Pick<PageAction, "id" | "label"> & {
  readonly off: (view: RunView, presence: Presence) => string | null;
};

const isFinished = ({ end }: RunView): boolean => end?.type === "run.finished";
/** A resumed engine would only wait for these answers. Pauses are excluded because resuming answers them. */
const hasOpenQuestion = ({ open }: RunView, { answered }: Presence): boolean =>
  open.some(({ approval, pause }) => pause !== true && !answered.has(approval));
const RUN_ENDED = "the run has ended";

const ACTIONS: readonly ActionRule[] = [
  {
    id: "resume",
    label: "Resume",
    off: (view, presence) => {
      if (isFinished(view)) return RUN_ENDED;
      if (presence.owned) return "an engine is already running it";
      return hasOpenQuestion(view, presence) ? "answer its open question to continue" : null;
    },
  },
  {
    id: "pause",
    label: "Pause",
    off: (view, { owned }) => (isFinished(view) ? RUN_ENDED : owned ? null : "it is not running"),
  },
  {
    id: "stop",
    label: "Stop an agent",
    off: (view, { owned }) => {
      if (isFinished(view)) return RUN_ENDED;
      return owned && view.agents.length > 0 ? null : "no agent is running";
    },
  },
  { id: "cancel", label: "Cancel", off: (view) => (isFinished(view) ? RUN_ENDED : null) },
  { id: "land", label: "Land", off: (view, presence) => explainWhyNotLandable(view, presence) },
  {
    id: "revert",
    label: "Revert",
    off: (_view, { landed = false, revertedBy }) => {
      if (revertedBy !== undefined) return "it is already reverted on your branch";
      return landed ? null : "it is not landed on your branch";
    },
  },
  {
    id: "fork",
    label: "Run again from a phase",
    off: ({ phases }) =>
      phases.some(({ title, startedAt }) => title !== PREFLIGHT && startedAt !== undefined)
        ? null
        : "no phase has started",
  },
];

function explainWhyNotLandable(view: RunView, { landed = false, revertedBy }: Presence): string | null {
  if (!isFinished(view)) return "the run has not ended";
  if (revertedBy !== undefined) return "it was reverted on your branch";
  if (landed) return "it is already landed on your branch";
  const { accepted, unaccepted } = getRunWork(view);
  if (accepted) return null;
  return unaccepted ? "no gate accepted its work; use signalbox land --unaccepted" : "it produced nothing to land";
}
