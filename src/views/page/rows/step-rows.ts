import type { JournalRecord } from "../../../core/journal/record.ts";
import { hasTrait } from "../../../core/journal/step-verbs.ts";
import { decodeStepName } from "../../own-steps.ts";
import type { Step } from "../../record-handlers.ts";
import type { StateName } from "../../states.ts";
import type { StepRow } from "../page.ts";
import type { MarkChanged, RowContext, RowProducer, RowWithoutSeq } from "./row-producer.ts";

type StepEntry = { readonly begun: Step; ended?: JournalRecord<"step.finished"> };

/** Creates one row per commit, merge and step that the pipeline performed itself. */
export function createStepRows(touch: MarkChanged): RowProducer {
  const steps = new Map<string, StepEntry>();
  const toRowId = (key: string): string => `step:${key}`;
  return {
    taking: {
      "step.started": (begun) => {
        if (!hasTrait(begun.verb, "hasRow")) return;
        steps.set(toRowId(begun.key), { begun });
        touch(toRowId(begun.key), { seq: begun.seq, live: true });
      },
      "step.finished": (ended) => {
        const entry = steps.get(toRowId(ended.key));
        if (!entry) return;
        entry.ended = ended;
        touch(toRowId(ended.key), { seq: ended.seq, live: false });
      },
    },
    row(id, at) {
      const entry = steps.get(id);
      if (!entry) throw new Error(`no step ${id}`);
      return toStepRow(id, entry, at);
    },
  };
}

function toStepRow(id: string, { begun, ended }: StepEntry, at: RowContext): RowWithoutSeq<StepRow> {
  const { key, phase, verb, ts: startedAt } = begun;
  return {
    kind: "step",
    id,
    phase,
    state: ended ? resolveEndState(verb, ended) : resolveOpenState(at),
    ...{ key, verb, name: decodeStepName(key), startedAt },
    ms: ended ? ended.ts - startedAt : null,
    text: ended ? formatStepResult(verb, ended) : "",
  };
}

/** Returns the state of a step without an end: cut off by the run's end, or left by a dead engine. */
function resolveOpenState({ view, presence }: RowContext): StateName {
  if (view.end?.type === "run.finished") return "interrupted";
  return presence.owned ? "running" : "stale";
}

type StepResult = {
  readonly commit?: string;
  readonly branch?: string;
  readonly clean?: boolean;
  readonly conflicts?: unknown;
};

/** The cast holds because the verbs record these values. */
const getStepResult = ({ value }: JournalRecord<"step.finished">): StepResult =>
  typeof value === "object" && value !== null ? (value as StepResult) : {};

/** Returns the state of an ended step. It is never `passed`, because the pipeline's own result is no evidence. */
function resolveEndState(verb: string, ended: JournalRecord<"step.finished">): StateName {
  if (ended.failure) return "failed";
  return verb === "merge" && getStepResult(ended).clean === false ? "failed" : "ended";
}

const MAX_TEXT = 300;

function formatStepResult(verb: string, ended: JournalRecord<"step.finished">): string {
  if (ended.failure) return ended.failure.message;
  const { commit, branch, clean, conflicts } = getStepResult(ended);
  if (verb === "commit") return commit === undefined ? "" : `committed ${commit.slice(0, 10)} on ${branch ?? ""}`;
  if (verb === "merge") return clean === false ? `conflict in ${[conflicts].flat().join(", ")}` : "merged";
  return ended.value === undefined ? "" : `reported ${JSON.stringify(ended.value).slice(0, MAX_TEXT)}`;
}
