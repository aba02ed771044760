import { valueRule } from "../../core/rule.ts";
import { type Phase, type Plan, RISK_CATEGORIES, TIERS, type Tier } from "./contracts.ts";
import { judged } from "./findings.ts";
import type { Policy } from "./policy.ts";
import { isOnRoster, READERS } from "./roles.ts";

type AboutPlan = { readonly plan: Plan };

const EXECUTOR_RULE = valueRule({
  id: "P-17",
  because: "every phase names an executor of the roster; nobody guesses one",
  judge: ({ plan }: AboutPlan) =>
    judged(
      plan.phases
        .filter((phase) => !isOnRoster(phase.executor_agent))
        .map((phase) => `phase ${phase.phase_id}: executor_agent "${phase.executor_agent ?? ""}" is not on the roster`),
    ),
});

const WAVE_FILES = valueRule({
  id: "P-22",
  because: "two phases of one wave never touch the same file",
  judge: ({ plan }: AboutPlan) => judged(plan.phases.flatMap((phase, at) => clashes(phase, plan.phases.slice(at + 1)))),
});

const SHAPE = valueRule({
  id: "P-42",
  because: "a plan has 3 to 10 phases (fewer only when small), no code and no manual step",
  judge: ({ plan }: AboutPlan) => {
    const small = plan.complexity_tier === "TRIVIAL" || plan.complexity_tier === "SMALL";
    const text = plan.phases.flatMap((phase) => phase.steps).join("\n");
    return judged([
      ...(plan.phases.length === 0 ? ["the plan has no phase"] : []),
      ...(plan.phases.length > 10 ? [`${plan.phases.length} phases are more than 10`] : []),
      ...(plan.phases.length < 3 && !small
        ? [`${plan.phases.length} phases are too few for ${plan.complexity_tier}`]
        : []),
      ...(text.includes("```") ? ["a step holds a code block"] : []),
      ...(/\bmanual(ly)?\b.*\btest/i.test(text) ? ["a step asks for a manual test"] : []),
      ...plan.phases
        .filter((phase) => kindOf(phase) === "code" && phase.tests.length === 0)
        .map((phase) => `phase ${phase.phase_id} names no tests`),
    ]);
  },
});

const DESIGN = valueRule({
  id: "P-48",
  because: "design decisions are explicit before anything is built",
  judge: ({ plan }: AboutPlan) =>
    judged(plan.design_decisions.length > 0 ? [] : ["the plan states no design decision"]),
});

const REFERENCES = valueRule({
  id: "P-75",
  because: "dependencies lie in earlier waves, and all seven risks were considered",
  judge: ({ plan }: AboutPlan) => {
    const wrong = plan.phases.flatMap((phase) =>
      phase.dependencies
        .filter((id) => !plan.phases.some((other) => other.phase_id === id && other.wave < phase.wave))
        .map((id) => `phase ${phase.phase_id}: dependency ${id} is not in an earlier wave`),
    );
    const left = RISK_CATEGORIES.filter((category) => !plan.risk_review.some((risk) => risk.category === category));
    return judged([...wrong, ...left.map((category) => `risk_review: ${category} is missing`)]);
  },
});

export const PLAN = [EXECUTOR_RULE, WAVE_FILES, SHAPE, DESIGN, REFERENCES] as const;

const FILE_LIMITS = [2, 5, 15] as const;

/** A plan does not grade itself: the tier is the higher of what it says and what its files say. */
export function tierOf(plan: Pick<Plan, "complexity_tier" | "phases">): Tier {
  const files = new Set(plan.phases.flatMap((phase) => phase.files.map((file) => file.path))).size;
  const at = FILE_LIMITS.findIndex((limit) => files <= limit);
  const computed = at === -1 ? TIERS.length - 1 : at;
  return TIERS[Math.max(computed, TIERS.indexOf(plan.complexity_tier))] ?? "LARGE";
}

/** Uncertain and unknown count as the worst until somebody resolves them. */
export function hasOpenHighRisk(plan: Pick<Plan, "risk_review">): boolean {
  return plan.risk_review.some(
    ({ applicability, impact, disposition }) =>
      applicability !== "not_applicable" && (impact === "HIGH" || impact === "UNKNOWN") && disposition !== "resolved",
  );
}

/** Why the plan must be reviewed before anything is built; empty when it need not. */
export function reviewTriggers(plan: Plan, policy: Pick<Policy, "plan_review_gate_trigger_conditions">): string[] {
  const on = policy.plan_review_gate_trigger_conditions;
  const destructive = plan.phases.some((phase) => phase.destructive);
  return [
    ...(plan.phases.length >= on.min_phases ? [`${plan.phases.length} phases`] : []),
    ...(plan.confidence < on.confidence_threshold ? [`confidence ${plan.confidence}`] : []),
    ...(on.high_risk_scope_triggers_review && destructive ? ["destructive scope"] : []),
    ...(on.applicable_high_impact_risk_triggers_review && hasOpenHighRisk(plan) ? ["an open HIGH risk"] : []),
  ];
}

export type Reviewers = { readonly auditor: boolean; readonly assumption: boolean; readonly executability: boolean };

export function reviewersFor(plan: Plan): Reviewers {
  if (hasOpenHighRisk(plan)) return { auditor: true, assumption: true, executability: true };
  const tier = TIERS.indexOf(tierOf(plan));
  const destructive = plan.phases.some((phase) => phase.destructive);
  return { auditor: tier >= 1 || destructive, assumption: tier >= 2, executability: tier >= 3 };
}

export type PhaseKind = "code" | "docs" | "read-only";

export function kindOf(phase: Pick<Phase, "executor_agent" | "files">): PhaseKind {
  const agent = (phase.executor_agent ?? "").replace(/-subagent$/, "");
  if (READERS.some((reader) => reader === agent)) return "read-only";
  return agent === "TechnicalWriter" || agent === "BrowserTester" ? "docs" : "code";
}

function clashes(phase: Phase, others: readonly Phase[]): string[] {
  const changes = (each: Phase) =>
    each.files.filter((file) => file.action === "create" || file.action === "modify").map((file) => file.path);
  const mine = new Set(changes(phase));
  return others
    .filter((other) => other.wave === phase.wave)
    .flatMap((other) =>
      changes(other)
        .filter((path) => mine.has(path))
        .map((path) => `phases ${phase.phase_id} and ${other.phase_id} of wave ${phase.wave} share ${path}`),
    );
}
