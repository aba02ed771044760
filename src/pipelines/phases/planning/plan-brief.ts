import { type Brief, briefOf, type Section } from "../../../core/authoring/brief.ts";
import { formatPlanPiece } from "../../plan-brief.ts";
import { describeExemption } from "../../work-kind.ts";
import type { Phase, Plan } from "./plan.ts";

/** Formats a plan for its approval: purpose, phases in order, open points. */
export function formatPlanBrief(plan: Plan, more: readonly Section[] = []): Brief {
  const { summary, phases, open_questions, risks, success_criteria, announces = [] } = plan;
  const inOrder = phases.toSorted((one, other) => one.wave - other.wave || one.phase_id - other.phase_id);
  return briefOf([
    {
      title: `${plan.task_title} (${plan.complexity_tier.toLowerCase()})`,
      lines: [summary, ...describeExemption(plan.kind)],
    },
    ...inOrder.map(formatPhaseBrief),
    { title: "Declared behaviour changes", lines: announces.map(({ was, becomes }) => `${was} → ${becomes}`) },
    { title: "Open questions", lines: open_questions.map((each) => `${each.question} (${each.recommendation})`) },
    { title: "Risks", lines: risks.map(({ risk, mitigation }) => `${risk}: ${mitigation}`) },
    { title: "Done when", lines: success_criteria },
    ...more,
  ]);
}

export function formatPhaseBrief(phase: Phase): Section {
  const { phase_id, title, wave, executor_agent, dependencies, files, acceptance_criteria, tests } = phase;
  const danger = [...(phase.destructive ? ["destructive"] : []), ...(phase.production ? ["production"] : [])];
  const section = formatPlanPiece({
    id: `Phase ${phase_id}`,
    title,
    marks: [`wave ${wave}`, executor_agent, ...danger],
    after: dependencies.map((id) => `phase ${id}`),
    files: files.map(({ path, action }) => (action === "modify" ? path : `${path} (${action})`)),
    criteria: acceptance_criteria,
  });
  return { ...section, lines: [...section.lines, ...tests.map((test) => `test: ${test}`)] };
}
