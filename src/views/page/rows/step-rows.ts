import type { JournalRecord } from "../../../core/journal/record.ts";
import { hasTrait } from "../../../core/journal/step-verbs.ts";
import { ownStepName } from "../../own-steps.ts";
import type { StateName } from "../../states.ts";
import type { Step } from "../../taking.ts";
import type { StepRow } from "../page.ts";
import type { RowContext, RowPart, Touch, Unstamped } from "./row-part.ts";

type Entry = { readonly begun: Step; ended?: JournalRecord<"step.finished"> };

/** Commits, merges, and what the pipeline did itself. */
export function createStepRows(touch: Touch): RowPart {
  const steps = new Map<string, Entry>();
  const idOf = (key: string): string => `step:${key}`;
  return {
    taking: {
      "step.started": (begun) => {
        if (!hasTrait(begun.verb, "hasRow")) return;
        steps.set(idOf(begun.key), { begun });
        touch(idOf(begun.key), { seq: begun.seq, live: true });
      },
      "step.finished": (ended) => {
        const entry = steps.get(idOf(ended.key));
        if (!entry) return;
        entry.ended = ended;
        touch(idOf(ended.key), { seq: ended.seq, live: false });
      },
    },
    row(id, at) {
      const entry = steps.get(id);
      if (!entry) throw new Error(`no step ${id}`);
      return stepRow(id, entry, at);
    },
  };
}

function stepRow(id: string, { begun, ended }: Entry, at: RowContext): Unstamped<StepRow> {
  const { key, phase, verb, ts: startedAt } = begun;
  return {
    kind: "step",
    id,
    phase,
    state: ended ? endState(verb, ended) : openState(at),
    ...{ key, verb, name: ownStepName(key), startedAt },
    ms: ended ? ended.ts - startedAt : null,
    text: ended ? textOf(verb, ended) : "",
  };
}

/** Cut off by the run's end, or put down with its engine. */
function openState({ view, presence }: RowContext): StateName {
  if (view.end?.type === "run.finished") return "interrupted";
  return presence.owned ? "running" : "stale";
}

type Value = {
  readonly commit?: string;
  readonly branch?: string;
  readonly clean?: boolean;
  readonly conflicts?: unknown;
};

/** Recorded by the verbs themselves. */
const resultOf = ({ value }: JournalRecord<"step.finished">): Value =>
  typeof value === "object" && value !== null ? (value as Value) : {};

/** Nothing here is evidence: what a pipeline did itself it also says itself. */
function endState(verb: string, ended: JournalRecord<"step.finished">): StateName {
  if (ended.failure) return "failed";
  return verb === "merge" && resultOf(ended).clean === false ? "failed" : "ended";
}

const MOST_SAID = 300;

function textOf(verb: string, ended: JournalRecord<"step.finished">): string {
  if (ended.failure) return ended.failure.message;
  const { commit, branch, clean, conflicts } = resultOf(ended);
  if (verb === "commit") return commit === undefined ? "" : `committed ${commit.slice(0, 10)} on ${branch ?? ""}`;
  if (verb === "merge") return clean === false ? `conflict in ${[conflicts].flat().join(", ")}` : "merged";
  return ended.value === undefined ? "" : `says ${JSON.stringify(ended.value).slice(0, MOST_SAID)}`;
}
