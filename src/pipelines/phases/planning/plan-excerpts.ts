import type { Phase, Plan } from "./plan.ts";

/** A value without its empty parts: nobody reads them, and they stand between the lines that count. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, withoutEmpty(part)] as const);
  return Object.fromEntries(parts.filter(([, part]) => !isEmpty(part)));
}

function isEmpty(part: unknown): boolean {
  if (part === undefined || part === null || part === "") return true;
  return typeof part === "object" && Object.keys(part).length === 0;
}

/** A plan for who revises it: without what only the engine needs. */
export function planFor(plan: Omit<Plan, "summary">): unknown {
  const { agent: _, status: __, abstain: ___, revision_of: ____, max_parallel_agents: _____, ...said } = plan;
  return withoutEmpty({ ...said, phases: plan.phases.map(phaseFor) });
}

/** A plan for who attacks it: what every plan says alike is left out, and a risk that is none is only named. */
export function reviewedPlan(plan: Omit<Plan, "summary">): unknown {
  const open = plan.risk_review.filter(({ applicability }) => applicability !== "not_applicable");
  const none = plan.risk_review.filter((risk) => !open.includes(risk)).map(({ category }) => category);
  const phases = plan.phases.map((phase) => phaseFor({ ...phase, quality_gates: [] }));
  return { ...Object(planFor({ ...plan, risk_review: open })), risks_not_applicable: none, phases };
}

/** What a phase was to do, for who judges what came of it: not how. */
export function purposeOf({ phase_id, title, objective, files, tests, acceptance_criteria }: Phase): unknown {
  const planned = files.map(({ path, action }) => ({ path, action }));
  return withoutEmpty({ phase_id, title, objective, files: planned, tests, acceptance_criteria });
}

/** A phase for who carries it out. */
export function phaseFor({ production, ...phase }: Phase): unknown {
  const said = withoutEmpty({ ...phase, ...(production && { production }) });
  // That it names no file is a limit, not a gap.
  return phase.files.length > 0 ? said : { ...Object(said), files: [] };
}
