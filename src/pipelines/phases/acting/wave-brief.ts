import { type Brief, briefOf, type Section } from "../../../core/authoring/brief.ts";
import { collapseWhitespace } from "../../commit-text.ts";
import type { Phase } from "../planning/plan.ts";
import { formatPhaseBrief } from "../planning/plan-brief.ts";

/** Result of a finished phase, shown when the next wave is approved. */
export type FinishedPhase = {
  readonly phase: string;
  readonly review: string;
  readonly changed: readonly string[];
  readonly advisory: readonly string[];
};

export type PhaseDetails = {
  readonly phase_id: number;
  readonly title: string;
  readonly objective: string;
  readonly scope: readonly string[];
  readonly steps: readonly string[];
  readonly risk_level: string;
  readonly risks: readonly string[];
  readonly agent: string | undefined;
};

type WaveBriefInput = {
  readonly group: readonly Phase[];
  readonly confirms: readonly string[];
  readonly verdicts: readonly FinishedPhase[];
  readonly abstained: readonly string[];
  /** Present if the person asked for details. */
  readonly details?: readonly PhaseDetails[];
};

/** Formats a wave for its approval: the risks that are confirmed, the phases, and the phases finished before. */
export function formatWaveBrief({ group, confirms, verdicts, abstained, details = [] }: WaveBriefInput): Brief {
  return briefOf([
    { title: "Approval confirms these irreversible actions", lines: confirms },
    ...group.map((phase) => formatPhaseSection(phase, details)),
    ...verdicts.map(formatFinishedPhase),
    { title: "Abstained from the plan review", lines: abstained },
  ]);
}

function formatPhaseSection(phase: Phase, details: readonly PhaseDetails[]): Section {
  const { title, lines } = formatPhaseBrief(phase);
  const more = details.find(({ phase_id }) => phase_id === phase.phase_id);
  return { title, lines: [collapseWhitespace(phase.objective), ...lines, ...(more ? formatDetailLines(more) : [])] };
}

const formatDetailLines = ({ steps, risk_level, risks }: PhaseDetails): readonly string[] => [
  ...steps.map((step, at) => `step ${at + 1}: ${collapseWhitespace(step)}`),
  `risk: ${[risk_level.toLowerCase(), ...risks].join(", ")}`,
];

function formatFinishedPhase({ phase, review, changed, advisory }: FinishedPhase): Section {
  return {
    title: `${phase}: complete`,
    lines: [
      `review: ${review}`,
      `changed: ${changed.join(", ") || "nothing"}`,
      ...advisory.map((each) => `advice: ${collapseWhitespace(each)}`),
    ],
  };
}
