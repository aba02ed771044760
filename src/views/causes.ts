import { type Finding, SEVERITIES } from "../core/authoring/finding.ts";
import { type DispatchReport, dispatchesOf } from "./attempts.ts";
import { type EvidenceReport, evidenceByTask, isBad, standingChecks, type TaskEvidence } from "./evidence.ts";
import { type DecisionReport, decisionOf, standingDecisions } from "./gates.ts";
import type { RunView } from "./run-view.ts";

/** Why a run stands where it does: of all that was recorded, what speaks for or against it. */
export type Causes = {
  /** The decision that weighs most: of those that did not pass and still stand the one with the worst finding, else the last. */
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
    decision: heaviestOf(standingDecisions(view).filter(({ passed }) => !passed)) ?? (last && decisionOf(last)),
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

/** The later one of equals: a look back at the end names what it missed as minor, and hides no gate that stopped the work. */
function heaviestOf(missed: readonly DecisionReport[]): DecisionReport | undefined {
  return missed.toSorted((one, other) => weightOf(one.findings) - weightOf(other.findings)).at(-1);
}

const weightOf = (findings: readonly Finding[]): number =>
  Math.max(0, ...findings.map(({ severity }) => SEVERITIES.length - SEVERITIES.indexOf(severity)));
