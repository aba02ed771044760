import type { Decision } from "../../core/authoring/decision.ts";
import type { End } from "../../core/authoring/end.ts";
import { once } from "../../core/authoring/retry.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { Json } from "../../core/text/json.ts";
import type { RunAccount } from "./building/self-check.ts";
import type { Remark } from "./handover/inputs.ts";

export type ErrorEntry = {
  readonly step: string;
  readonly agent: string;
  readonly error: string;
  readonly retried: boolean;
};
type RetriedAnswer = Omit<ErrorEntry, "retried">;

/** A work tree, whether the gates accepted it, and why it is not committed. */
export type WorkDone = { readonly tree: Tree; readonly accepted: boolean; readonly why: string };

/** Record of what a run has done so far. Parallel branches append in any order; readers sort. */
export type RunTally = {
  step: string;
  risk: string;
  dispatches: number;
  work: WorkDone | undefined;
  readonly steps: Set<string>;
  readonly skipped: Map<string, string>;
  readonly outputs: { readonly step: string; readonly path: string }[];
  readonly texts: Map<string, string>;
  readonly errors: ErrorEntry[];
  readonly retries: RetriedAnswer[];
  readonly decisions: Map<string, Decision>;
  readonly missed: Decision[];
  readonly remarks: Remark[];
  readonly rounds: Record<keyof RunAccount["rounds"], number>;
};

export function openTally(): RunTally {
  return {
    step: "",
    risk: "",
    dispatches: 0,
    work: undefined,
    steps: new Set(),
    skipped: new Map(),
    outputs: [],
    texts: new Map(),
    errors: [],
    retries: [],
    decisions: new Map(),
    missed: [],
    remarks: [],
    rounds: { research: 0, design: 0, plan: 0, verification: 0, review: 0 },
  };
}

/** Returns the facts that `status` shows. */
export const getStatusFacts = (tally: RunTally): Record<string, Json> => ({
  step: tally.step,
  overall_risk: tally.risk,
  completed_steps: listCompletedSteps(tally),
  error_log: sortEntries(tally.errors),
});

/** Lists what went wrong, in the same order on every replay. */
export function listTroubles(tally: RunTally) {
  const gates = tally.missed
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, findings }) => `${id}: ${findings.map(({ message }) => message).join("; ")}`);
  const [errors, retries] = [sortEntries(tally.errors), sortEntries(tally.retries)];
  return {
    ...(errors.length > 0 && { errors }),
    ...(retries.length > 0 && { retries }),
    ...(gates.length > 0 && { gates }),
  };
}

export function createErrorEntry(step: string, agent: string, failure: Failure): ErrorEntry {
  return { step, agent, error: failure.message, retried: once()([failure]).again };
}

export const sortEntries = <T extends RetriedAnswer>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => (getErrorKey(a) < getErrorKey(b) ? -1 : 1));

const getErrorKey = ({ step, agent, error }: RetriedAnswer): string => [step, agent, error].join("\n");

function listCompletedSteps(tally: RunTally): { step: string; outputs: string[] }[] {
  const before = [...tally.steps].filter((step) => step !== tally.step);
  return before.map((step) => ({
    step,
    outputs: [...new Set(tally.outputs.filter((each) => each.step === step).map(({ path }) => path))].sort(),
  }));
}

export function createAccount(tally: RunTally, end: End): RunAccount {
  return {
    steps: [...tally.steps],
    skipped: Object.fromEntries(tally.skipped),
    refused: [...tally.decisions.values()].filter(({ passed }) => !passed).map(({ gate }) => gate),
    rounds: { ...tally.rounds },
    outputs: [...new Set(tally.outputs.map(({ path }) => path))].sort(),
    committed: "commit" in getReport(end),
    status: end.status,
    dispatches: tally.dispatches,
  };
}

export function getReport(end: End): Record<string, Json | undefined> {
  const { report } = end;
  // Reports of this pipeline are objects.
  return typeof report === "object" && report !== null ? (report as Record<string, Json | undefined>) : {};
}
