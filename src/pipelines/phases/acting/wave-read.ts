import { type Brief, briefOf, type Section } from "../../../core/authoring/brief.ts";
import { oneLine } from "../../commit-text.ts";
import type { Phase } from "../planning/plan.ts";
import { phaseRead } from "../planning/plan-read.ts";

/** What a phase came to, for who is asked about the next ones. */
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

type WaveRead = {
  readonly group: readonly Phase[];
  readonly confirms: readonly string[];
  readonly verdicts: readonly FinishedPhase[];
  readonly abstained: readonly string[];
  /** Where a person asked for more. */
  readonly details?: readonly PhaseDetails[];
};

/** A wave as it is read by whoever approves it: what a yes confirms, its phases, and what was finished before. */
export function waveRead({ group, confirms, verdicts, abstained, details = [] }: WaveRead): Brief {
  return briefOf([
    { title: "A yes confirms what cannot be taken back", lines: confirms },
    ...group.map((phase) => phaseSection(phase, details)),
    ...verdicts.map(finishedRead),
    { title: "Did not judge the plan", lines: abstained },
  ]);
}

function phaseSection(phase: Phase, details: readonly PhaseDetails[]): Section {
  const { title, lines } = phaseRead(phase);
  const more = details.find(({ phase_id }) => phase_id === phase.phase_id);
  return { title, lines: [oneLine(phase.objective), ...lines, ...(more ? detailLines(more) : [])] };
}

const detailLines = ({ steps, risk_level, risks }: PhaseDetails): readonly string[] => [
  ...steps.map((step, at) => `step ${at + 1}: ${oneLine(step)}`),
  `risk: ${[risk_level.toLowerCase(), ...risks].join(", ")}`,
];

function finishedRead({ phase, review, changed, advisory }: FinishedPhase): Section {
  return {
    title: `${phase}: complete`,
    lines: [
      `review: ${review}`,
      `changed: ${changed.join(", ") || "nothing"}`,
      ...advisory.map((each) => `advice: ${oneLine(each)}`),
    ],
  };
}
