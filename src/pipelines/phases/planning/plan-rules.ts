import type { Finding } from "../../../core/authoring/finding.ts";
import { valueRule } from "../../../core/authoring/rule.ts";
import { isAbstaining } from "../acting/reply.ts";
import { createAdvice, judgeProblems } from "../review/findings.ts";
import { isOnRoster, READERS } from "../roles.ts";
import { type Phase, type Plan, RISK_CATEGORIES, TIERS, type Tier } from "./plan.ts";

type AboutPlan = { readonly plan: Plan };

const MOST_PHASES = 10;
const FEWEST_PHASES = 3;

/**
 * @rule P-69 (gate) ABSTAIN or REPLAN_REQUIRED of the planner goes to a person with its reasons and without a review.
 */
export const READY = valueRule({
  id: "P-69",
  because: "the planner declares the plan ready",
  judge: ({ plan }: AboutPlan) => {
    const ready = plan.status === "READY_FOR_EXECUTION" && !isAbstaining(plan);
    const why = plan.abstain.reasons.join("; ") || "no reason given";
    return judgeProblems(ready ? [] : [`the planner answers ${plan.status}: ${why}`]);
  },
});

/**
 * @rule P-17 (gate) The engine dispatches a phase only to its `executor_agent`; a plan without a valid one goes back to
 *   the planner, and the engine infers none.
 */
export const EXECUTOR = valueRule({
  id: "P-17",
  because: "every phase names an executor on the roster",
  judge: ({ plan }: AboutPlan) =>
    judgeProblems(
      plan.phases
        .filter((phase) => !isOnRoster(phase.executor_agent))
        .map((phase) => `phase ${phase.phase_id}: executor_agent "${phase.executor_agent ?? ""}" is not on the roster`),
    ),
});

/** @rule P-22 (gate) Plan validation refuses two phases of one wave that change the same file. */
export const WAVE_FILES = valueRule({
  id: "P-22",
  because: "two phases of one wave never touch the same file",
  judge: ({ plan }: AboutPlan) =>
    judgeProblems(plan.phases.flatMap((phase, at) => listClashes(phase, plan.phases.slice(at + 1)))),
});

/**
 * @rule P-42 (gate) A plan has at most 10 phases, at least 3 unless it is TRIVIAL or SMALL, no fenced code, no manual
 *   test, and tests for every code phase.
 */
export const SHAPE = valueRule({
  id: "P-42",
  because: "a plan has 3 to 10 phases (fewer only when small), no code, no manual test, and tests for all code",
  judge: ({ plan }: AboutPlan) =>
    judgeProblems([...listCountProblems(plan), ...listProseProblems(plan), ...plan.phases.flatMap(listUntested)]),
});

/**
 * A project's own plan form may have no field for design decisions; the approver is then told.
 * @rule P-48 (gate) The engine refuses a plan without explicit choices, boundaries, flow and trade-offs.
 */
export const DESIGN = valueRule({
  id: "P-48",
  because: "choices, boundaries, flow and trade-offs are explicit before anything is built",
  judge: ({ plan: { design_decisions: design } }: AboutPlan) => {
    if (!design) return createAdvice(["the plan states no design decisions"]);
    const empty = Object.entries(design).filter(([, texts]) => texts.length === 0);
    return judgeProblems(empty.map(([name]) => `design_decisions.${name} is empty`));
  },
});

/**
 * @rule P-75 (gate) Plan validation refuses dependencies that are unknown, cyclic or not in an earlier wave, and a risk
 *   review without all seven categories.
 */
export const REFERENCES = valueRule({
  id: "P-75",
  because: "dependencies are in earlier waves, and all seven risk categories are present",
  judge: ({ plan }: AboutPlan) => {
    const ids = plan.phases.map((phase) => phase.phase_id);
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `phase ${id} is listed twice`);
    const left = RISK_CATEGORIES.filter((category) => !plan.risk_review.some((risk) => risk.category === category));
    return judgeProblems([
      ...twice,
      ...plan.phases.flatMap((phase) => listDependencyProblems(phase, plan.phases)),
      ...left.map((category) => `risk_review: ${category} is missing`),
    ]);
  },
});

/** Advice only: the phase is told which code of its wave it will not see. */
const DOCUMENTS = valueRule({
  id: "P-21/documents",
  because: "documentation sees the code it describes: all phases of a wave start from the same tree",
  judge: ({ plan }: AboutPlan) =>
    createAdvice(
      plan.phases
        .filter((phase) => getPhaseKind(phase) === "docs" && listParallelCodePhases(phase, plan.phases).length > 0)
        .map(
          ({ phase_id, wave }) => `phase ${phase_id} will not see the code of wave ${wave}: put it into a later wave`,
        ),
    ),
});

/** Advice only: the higher tier is used, and the difference is reported. */
export const HONEST_TIER = valueRule({
  id: "P-71",
  because: "the tier in use is the higher of the declared and the computed one",
  judge: ({ plan }: AboutPlan) => {
    const used = computeTier(plan);
    const message = `complexity_tier is declared as ${plan.complexity_tier}, its files make it ${used}`;
    const finding: Finding = { severity: "minor", message };
    return { passed: true, findings: used === plan.complexity_tier ? [] : [finding] };
  },
});

/** Rules of the plan gate. */
export const PLAN_RULES = [READY, EXECUTOR, WAVE_FILES, SHAPE, DESIGN, REFERENCES, DOCUMENTS, HONEST_TIER] as const;

const MOST_SMALL = 5;
const FILE_LIMITS = [2, MOST_SMALL, 15] as const;

/**
 * @rule P-71 (policy) The engine uses the higher of the declared tier and the tier computed from the plan's distinct
 *   files; a difference is a finding.
 */
export function computeTier(plan: Pick<Plan, "complexity_tier" | "phases">): Tier {
  const files = new Set(plan.phases.flatMap((phase) => phase.files.map((file) => file.path))).size;
  const at = FILE_LIMITS.findIndex((limit) => files <= limit);
  const computed = at === -1 ? TIERS.length - 1 : at;
  return TIERS[Math.max(computed, TIERS.indexOf(plan.complexity_tier))] ?? "LARGE";
}

export type PhaseKind = "code" | "docs" | "read-only";

export function getPhaseKind(phase: Pick<Phase, "executor_agent" | "files">): PhaseKind {
  const agent = (phase.executor_agent ?? "").replace(/-subagent$/, "");
  if (READERS.some((reader) => reader === agent)) return "read-only";
  return agent === "TechnicalWriter" || agent === "BrowserTester" ? "docs" : "code";
}

/** Code phases of the same wave, whose work is not in this phase's tree. */
export const listParallelCodePhases = (phase: Phase, phases: readonly Phase[]): readonly Phase[] =>
  phases.filter(
    (other) => other.phase_id !== phase.phase_id && other.wave === phase.wave && getPhaseKind(other) === "code",
  );

/** Files that a phase may change; files that it only reads do not count. */
export const listWrites = ({ files }: Pick<Phase, "files">): readonly string[] =>
  files.filter(({ action }) => action === "create" || action === "modify").map(({ path }) => path);

function listCountProblems(plan: Plan): string[] {
  const count = plan.phases.length;
  const tier = computeTier(plan);
  const small = tier === "TRIVIAL" || tier === "SMALL";
  if (count === 0) return ["the plan has no phase"];
  if (count > MOST_PHASES) return [`${count} phases are more than ${MOST_PHASES}`];
  if (count >= FEWEST_PHASES || small) return [];
  return [
    `${count} phases are too few for ${tier}: at least ${FEWEST_PHASES}, or no more than ${MOST_SMALL} files in all`,
  ];
}

const FENCE = /```|~~~/;
/** A manual test, in any word order. */
const BY_HAND = /\b(?:manual(?:ly)?|by hand)\b/i;
const TESTING = /\b(?:test|verif|check|inspect|confirm|try|click|look)\w*/i;

function listProseProblems(plan: Plan): string[] {
  const decisions = Object.values(plan.design_decisions ?? {}).flat();
  const whole = [plan.summary, ...decisions, ...plan.success_criteria].map((text) => ({ place: "the plan", text }));
  const parts = plan.phases.flatMap((phase) =>
    [phase.objective, ...phase.steps, ...phase.tests, ...phase.acceptance_criteria].map((text) => ({
      place: `phase ${phase.phase_id}`,
      text,
    })),
  );
  return [...whole, ...parts].flatMap(({ place, text }) => [
    ...(FENCE.test(text) ? [`${place} contains a code block: use prose`] : []),
    ...(BY_HAND.test(text) && TESTING.test(text) ? [`${place} asks for a manual test: "${text}"`] : []),
  ]);
}

const listUntested = (phase: Phase): string[] =>
  getPhaseKind(phase) === "code" && phase.tests.length === 0 ? [`phase ${phase.phase_id} names no tests`] : [];

function listDependencyProblems(phase: Phase, phases: readonly Phase[]): string[] {
  return phase.dependencies.flatMap((id) => {
    const other = phases.find((each) => each.phase_id === id);
    if (!other) return [`phase ${phase.phase_id}: dependency ${id} is not a phase of the plan`];
    if (other.wave < phase.wave) return [];
    // Also covers cycles: no cycle runs through earlier waves only.
    return [`phase ${phase.phase_id}: dependency ${id} is in wave ${other.wave}, not before wave ${phase.wave}`];
  });
}

function listClashes(phase: Phase, others: readonly Phase[]): string[] {
  const mine = new Set(listWrites(phase));
  return others
    .filter((other) => other.wave === phase.wave)
    .flatMap((other) =>
      listWrites(other)
        .filter((path) => mine.has(path))
        .map((path) => `phases ${phase.phase_id} and ${other.phase_id} of wave ${phase.wave} share ${path}`),
    );
}
