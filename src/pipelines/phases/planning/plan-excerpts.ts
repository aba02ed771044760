import type { Phase, Plan } from "./plan.ts";

/** Removes empty parts, so that prompts contain only lines with content. */
export function dropEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropEmpty);
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, dropEmpty(part)] as const);
  return Object.fromEntries(parts.filter(([, part]) => !isEmptyPart(part)));
}

function isEmptyPart(part: unknown): boolean {
  if (part === undefined || part === null || part === "") return true;
  return typeof part === "object" && Object.keys(part).length === 0;
}

/** A plan for its revision, without the fields that only the engine needs. */
export function toPlannerView(plan: Omit<Plan, "summary">): unknown {
  const { agent: _, status: __, abstain: ___, revision_of: ____, max_parallel_agents: _____, ...fields } = plan;
  return dropEmpty({ ...fields, phases: plan.phases.map(toExecutorView) });
}

/** A plan for its reviewers, without what every plan has in common; risks that do not apply are only named. */
export function toReviewerView(plan: Omit<Plan, "summary">): unknown {
  const open = plan.risk_review.filter(({ applicability }) => applicability !== "not_applicable");
  const none = plan.risk_review.filter((risk) => !open.includes(risk)).map(({ category }) => category);
  const phases = plan.phases.map((phase) => toExecutorView({ ...phase, quality_gates: [] }));
  return { ...Object(toPlannerView({ ...plan, risk_review: open })), risks_not_applicable: none, phases };
}

/** The purpose of a phase for its reviewer, without the steps. */
export function toPhasePurpose({ phase_id, title, objective, files, tests, acceptance_criteria }: Phase): unknown {
  const planned = files.map(({ path, action }) => ({ path, action }));
  return dropEmpty({ phase_id, title, objective, files: planned, tests, acceptance_criteria });
}

/** A phase for its executor. */
export function toExecutorView({ production, ...phase }: Phase): unknown {
  const fields = dropEmpty({ ...phase, ...(production && { production }) });
  // An empty file list is a limit, so it stays.
  return phase.files.length > 0 ? fields : { ...Object(fields), files: [] };
}
