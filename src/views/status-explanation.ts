import { type Finding, SEVERITIES } from "../core/authoring/finding.ts";
import { type DispatchReport, toDispatchReports } from "./attempts.ts";
import {
  type EvidenceReport,
  groupEvidenceByTask,
  isRejectedResult,
  selectLatestChecks,
  type TaskEvidence,
} from "./evidence.ts";
import { type DecisionReport, selectLatestDecisions, toDecisionReport } from "./gates.ts";
import type { RunView } from "./run-view.ts";

/** The records that explain why a run is in its current state. */
export type StatusExplanation = {
  /** The decision with the worst finding among the latest ones that did not pass; the last decision if all passed. */
  readonly decision: DecisionReport | undefined;
  /** Dispatches whose last attempt failed. */
  readonly failures: readonly DispatchReport[];
  /** Tasks with at least one check whose latest result failed. */
  readonly contradicted: readonly (TaskEvidence & { readonly bad: readonly EvidenceReport[] })[];
  /** Number of evidence records. */
  readonly results: number;
  /** Limitations of the evidence that a person accepted for a commit, and who accepted them. */
  readonly caveats: readonly string[];
  /** Why the run needed no project command. */
  readonly exempt: string | null;
  /** Questions that an autonomous run answered without a person. */
  readonly automatic: readonly { readonly title: string; readonly choice: string }[];
};

export function collectStatusExplanation(view: RunView): StatusExplanation {
  const { gates, evidence, caveats, exempt = null, questions } = view;
  const last = gates.at(-1);
  return {
    decision:
      findWorstDecision(selectLatestDecisions(view).filter(({ passed }) => !passed)) ??
      (last && toDecisionReport(last)),
    failures: toDispatchReports(view).filter((each) => each.outcome === "failed"),
    contradicted: groupEvidenceByTask(view).flatMap((task) => {
      const bad = selectLatestChecks(task.evidence).filter(isRejectedResult);
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

/**
 * Prefers the later of two equal decisions. A final review reports what it missed as minor, so it cannot hide a gate
 * that stopped the work.
 */
function findWorstDecision(missed: readonly DecisionReport[]): DecisionReport | undefined {
  return missed.toSorted((one, other) => scoreFindings(one.findings) - scoreFindings(other.findings)).at(-1);
}

const scoreFindings = (findings: readonly Finding[]): number =>
  Math.max(0, ...findings.map(({ severity }) => SEVERITIES.length - SEVERITIES.indexOf(severity)));
