import type { Mutants } from "./break.ts";

const AT = "src/pipelines/phases";

/** Breaks of the planning half. The acting half has its own file. */
export const mutants: Mutants = {
  "P-01": {
    file: `${AT}/index.ts`,
    from: 'next: ["WAITING_APPROVAL", "PLAN_REVIEW"] }',
    to: 'next: ["WAITING_APPROVAL", "PLAN_REVIEW", "ACTING"] }',
  },
  "P-02": {
    file: `${AT}/planning/plan.ts`,
    from: "steps: z.array(z.string()).min(1),",
    to: "steps: z.array(z.string()),",
  },
  "P-04": { file: `${AT}/review/review-scope.ts`, from: "plan.phases.length >= on.min_phases ?", to: "false ?" },
  "P-05": {
    file: `${AT}/policy.ts`,
    from: "MEDIUM: createReviewers(true, true, false)",
    to: "MEDIUM: createReviewers(true, false, false)",
  },
  "P-06": {
    file: `${AT}/review/review-scope.ts`,
    from: "if (listOpenHighRisks(plan).length > 0) return {",
    to: "if (!plan) return {",
  },
  "P-07": { file: `${AT}/policy.ts`, from: "MEDIUM: createRoundLimit(5)", to: "MEDIUM: createRoundLimit(4)" },
  "P-08": {
    file: `${AT}/planning/plan-review-rules.ts`,
    from: "isClean(replies) && !hasExecutabilityObjection(replies)",
    to: "isClean(replies)",
  },
  "P-09": {
    file: `${AT}/planning/plan-review-rules.ts`,
    from: 'const objects = status === "NEEDS_REVISION" || status === "REJECTED";',
    to: 'const objects = status === "REJECTED";',
  },
  "P-10": {
    file: `${AT}/planning/plan-review.ts`,
    from: "if (isRejected(replies)) return",
    to: "if (!replies) return",
  },
  "P-11": {
    file: `${AT}/planning/plan-review-rules.ts`,
    from: 'result === "ABSTAIN" ? [reviewer] : []',
    to: "result === reviewer ? [reviewer] : []",
  },
  "P-12": { file: `${AT}/planning/plan-review-rules.ts`, from: "gain < min_improvement_points ?", to: "gain < -100 ?" },
  "P-13": { file: `${AT}/planning/plan-review.ts`, from: "selectBestVersion(result.all) ?? result", to: "result" },
  "P-14": {
    file: `${AT}/review/review-scope.ts`,
    from: "return canonical(getSubstance(before)) === canonical(getSubstance(after));",
    to: "return before !== after;",
  },
  "P-15": {
    file: `${AT}/planning/recurring-findings.ts`,
    from: "marked || past.repaired.includes(normalizeFinding(text)) ?",
    to: "!finding ?",
  },
  "P-16": {
    file: `${AT}/planning/recurring-findings.ts`,
    from: "regression_iteration = before?.iteration }",
    to: "regression_iteration }",
  },
  "P-17": {
    file: `${AT}/planning/plan-rules.ts`,
    from: ".filter((phase) => !isOnRoster(phase.executor_agent))",
    to: ".filter((phase) => !phase)",
  },
  "P-18": {
    file: `${AT}/roles.ts`,
    from: "return findExecutor(plain) !== undefined ||",
    to: 'return plain !== "" ||',
  },
  "P-35": {
    file: "src/pipelines/phases/run-context.ts",
    from: "  trace_id: trace,\n  ...iteration,\n",
    to: "  trace_id: trace,\n",
  },
  "P-36": {
    file: `${AT}/events.ts`,
    from: "if (context.lane === undefined) await writeEvents(verbs, context);",
    to: "",
  },
  "P-37": {
    file: `${AT}/gate-event.ts`,
    from: 'return decision.blocked ? "BLOCKED" : (miss?.(decision) ?? "REPLAN");',
    to: 'return miss?.(decision) ?? "REPLAN";',
  },
  "P-42": { file: `${AT}/planning/plan-rules.ts`, from: "if (count > MOST_PHASES)", to: "if (count > 100)" },
  "P-45": {
    file: `${AT}/planning/plan-review-rules.ts`,
    from: "{ audit: 0.7, mirages: 0.7, executability: 0.6 }",
    to: "{ audit: 0, mirages: 0, executability: 0 }",
  },
  "P-46": {
    file: `${AT}/policy.ts`,
    from: "const Knobs = z.strictObject({",
    to: "const Knobs = z.object({",
  },
  "P-47": {
    file: `${AT}/acting/delegations.ts`,
    from: "if (value.research_scope !== undefined || value.failed_phase !== undefined) return;",
    to: "if (value !== undefined) return;",
  },
  "P-48": {
    file: `${AT}/planning/plan-rules.ts`,
    from: ".filter(([, texts]) => texts.length === 0)",
    to: ".filter(([name]) => name.length === 0)",
  },
  "P-49": {
    file: `${AT}/index.ts`,
    from: '{ title: "REVIEWING", roles: [codeReviewer],',
    to: '{ title: "REVIEWING", roles: [codeReviewer, planner],',
  },
  "P-50": { file: `${AT}/gate-event.ts`, from: 'PHASE_REVIEW_GATE: "REVIEWING",', to: 'PHASE_REVIEW_GATE: "ACTING",' },
  "P-55": {
    file: `${AT}/review/plan-reviewers.ts`,
    from: "...(iteration > 1 && { verified_items: past.verified }),",
    to: "",
  },
  "P-56": {
    file: `${AT}/acting/delegations.ts`,
    from: 'if (problems.length > 0) return refusePayload(problems.join("; "));',
    to: "",
  },
  "P-57": {
    file: `${AT}/acting/reply.ts`,
    from: 'confidence: z.number().min(0).max(1).describe("0 to 1"),',
    to: "confidence: z.number().min(0).max(1).default(1),",
  },
  "P-58": {
    file: `${AT}/planning/planning.ts`,
    from: "if (!decision.passed) return {",
    to: "if (!decision.passed && !wish.given) return {",
  },
  "P-69": {
    file: `${AT}/planning/plan-rules.ts`,
    from: 'plan.status === "READY_FOR_EXECUTION" && !isAbstaining(plan)',
    to: "plan !== undefined",
  },
  "P-70": {
    file: `${AT}/review/plan-reviewers.ts`,
    from: '["simulation", "second-simulation"]',
    to: '["simulation"]',
  },
  "P-71": {
    file: `${AT}/planning/plan-rules.ts`,
    from: "Math.max(computed, TIERS.indexOf(plan.complexity_tier))",
    to: "TIERS.indexOf(plan.complexity_tier)",
  },
  "P-72": {
    file: `${AT}/planning/plan-review.ts`,
    from: "policy.max_iterations_by_tier[",
    to: "policy.max_iterations_by_tier.LARGE || [",
  },
  "P-74": {
    file: `${AT}/events.ts`,
    from: "await verbs.note(",
    to: "await verbs.note({ event: JSON.stringify(event) } ?? ",
  },
  "P-75": {
    file: `${AT}/planning/plan-rules.ts`,
    from: "if (other.wave < phase.wave) return [];",
    to: "if (other) return [];",
  },
  "P-77": {
    file: `${AT}/planning/plan-review-rules.ts`,
    from: "(each.decision.score ?? 0) >= (best.decision.score ?? 0)",
    to: "(each.decision.score ?? 0) > (best.decision.score ?? 0)",
  },
  "P-79": {
    file: `${AT}/review/plan-reviewers.ts`,
    from: "if (!reviewers.executability || !isClean(replies)) return replies;",
    to: "if (!reviewers.executability || !isClean(replies) || kept) return replies;",
  },
};
