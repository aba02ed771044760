import type { Finding } from "../../core/finding.ts";
import { type Judgement, valueRule } from "../../core/rule.ts";
import type { Evidence } from "../../core/verbs.ts";
import { type Phase, type Plan, type Report, RISK_CATEGORIES, TIERS, type Tier, type Verdict } from "./contracts.ts";
import type { Policy } from "./policy.ts";
import { isOnRoster, READERS } from "./roles.ts";

type AboutPlan = { readonly plan: Plan };
const major = (message: string): Finding => ({ severity: "major", message });
const judged = (problems: readonly string[]): Judgement => ({
  passed: problems.length === 0,
  findings: problems.map(major),
});

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

type Preflect = { readonly phase: Phase; readonly approved: readonly number[]; readonly done: readonly number[] };

/** What must hold before a phase is dispatched. */
export const PREFLECT = [
  valueRule({
    id: "P-19",
    because: "the phases it depends on are complete, with evidence",
    judge: ({ phase, done }: Preflect) =>
      judged(phase.dependencies.filter((id) => !done.includes(id)).map((id) => `phase ${id} is not complete`)),
  }),
  valueRule({
    id: "P-20",
    because: "nothing destructive starts without a person's yes",
    judge: ({ phase, approved }: Preflect) => {
      const refused = phase.destructive && !approved.includes(phase.phase_id);
      return refused
        ? { ...judged([`phase ${phase.phase_id} is destructive and not approved`]), blocked: true }
        : judged([]);
    },
  }),
] as const;

type Finished = {
  readonly kind: PhaseKind;
  readonly report: Pick<Report, "status" | "summary">;
  readonly evidence?: Pick<Evidence, "passed" | "checks" | "regressions"> | undefined;
  readonly verdict?: Pick<Verdict, "validated_blocking_issues"> | undefined;
};

/** When a phase is complete. */
export const COMPLETE = [
  valueRule({
    id: "P-23",
    because: "code counts as built when the engine saw it build",
    judge: ({ kind, evidence }: Finished) => {
      if (kind !== "code" || evidence?.passed) return { passed: true };
      const red = evidence?.checks.filter((check) => !check.passed).map((check) => `${check.name} is red`) ?? [];
      return judged(red.length > 0 ? red : ["no build evidence"]);
    },
  }),
  valueRule({
    id: "P-24",
    because: "only issues that the reviewer has confirmed in the code block",
    judge: ({ kind, verdict }: Finished) => {
      if (kind === "read-only") return { passed: true };
      if (!verdict) return judged(["nobody has reviewed it"]);
      const findings = verdict.validated_blocking_issues.map(asFinding);
      return { passed: findings.length === 0, findings };
    },
  }),
] as const;

export function asFinding(issue: { severity: string; description: string; file?: string | undefined }): Finding {
  const severity = issue.severity === "CRITICAL" ? "critical" : issue.severity === "MINOR" ? "minor" : "major";
  return { severity, message: issue.description, ...(issue.file && { files: [issue.file] }) };
}

type Whole = {
  readonly plan: Plan;
  readonly changed: readonly string[];
  readonly evidence: Pick<Evidence, "passed" | "regressions">;
};

/** Everything together: nothing outside the plan, and no check worse than before. */
export const WHOLE = valueRule({
  id: "P-38",
  because: "the integrated work holds and stays inside the plan",
  judge: ({ plan, changed, evidence }: Whole) => {
    const planned = new Set(plan.phases.flatMap((phase) => phase.files.map((file) => file.path)));
    const outside = changed.filter((path) => !planned.has(path) && !path.startsWith("plans/"));
    const needsBuild = plan.phases.some((phase) => kindOf(phase) === "code");
    const findings = [...outside.map((path) => major(`${path} is not in the plan`)), ...evidence.regressions];
    return { passed: outside.length === 0 && (evidence.passed || !needsBuild), findings };
  },
});

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
