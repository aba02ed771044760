import { type DispatchReport, dispatchesOf } from "./attempts.ts";
import { type EvidenceReport, evidenceByTask, isBad, standingChecks, type TaskEvidence } from "./evidence.ts";
import { type DecisionReport, decisionOf, standingDecisions } from "./gates.ts";
import type { RunView } from "./run-view.ts";

/** Why a run stands where it does: of all that was recorded, what speaks for or against it. */
export type Causes = {
  /** The decision that weighs most: the last one, or the last that did not pass and still stands. */
  readonly decision: DecisionReport | undefined;
  /** Dispatches whose last attempt failed. */
  readonly failures: readonly DispatchReport[];
  /** Work with a check that stands as failed. */
  readonly contradicted: readonly (TaskEvidence & { readonly bad: readonly EvidenceReport[] })[];
  /** How much the engine saw in all. */
  readonly results: number;
  /** What was committed although evidence could not decide it, and who said so. */
  readonly caveats: readonly string[];
  /** Why no command of the project was needed. */
  readonly exempt: string | null;
  /** Questions that an autonomous run answered without a person. */
  readonly automatic: readonly { readonly title: string; readonly choice: string }[];
};

export function causesOf(view: RunView): Causes {
  const { gates, evidence, caveats, exempt = null, questions } = view;
  const last = gates.at(-1);
  return {
    decision: standingDecisions(view).findLast((each) => !each.passed) ?? (last && decisionOf(last)),
    failures: dispatchesOf(view).filter((each) => each.outcome === "failed"),
    contradicted: evidenceByTask(view).flatMap((task) => {
      const bad = standingChecks(task.evidence).filter(isBad);
      return bad.length > 0 ? [{ ...task, bad }] : [];
    }),
    results: evidence.length,
    caveats,
    exempt,
    automatic: questions
      .flatMap(({ asked: { title }, answer }) => (answer?.by === "automatic" ? [{ title, ...answer }] : []))
      .sort((a, b) => a.seq - b.seq)
      .map(({ title, choice }) => ({ title, choice })),
  };
}
