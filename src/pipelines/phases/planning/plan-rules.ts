import type { Finding } from "../../core/finding.ts";
import { valueRule } from "../../core/rule.ts";
import { judged } from "./findings.ts";
import { type Phase, type Plan, RISK_CATEGORIES, TIERS, type Tier } from "./plan.ts";
import { isAbstaining } from "./reply.ts";
import { isOnRoster, READERS } from "./roles.ts";

type AboutPlan = { readonly plan: Plan };

const MOST_PHASES = 10;
const FEWEST_PHASES = 3;

export const READY = valueRule({
  id: "P-69",
  because: "the planner stands by the plan",
  judge: ({ plan }: AboutPlan) => {
    const ready = plan.status === "READY_FOR_EXECUTION" && !isAbstaining(plan);
    const why = plan.abstain.reasons.join("; ") || "no reason given";
    return judged(ready ? [] : [`the planner answers ${plan.status}: ${why}`]);
  },
});

export const EXECUTOR = valueRule({
  id: "P-17",
  because: "every phase names an executor of the roster; nobody guesses one",
  judge: ({ plan }: AboutPlan) =>
    judged(
      plan.phases
        .filter((phase) => !isOnRoster(phase.executor_agent))
        .map((phase) => `phase ${phase.phase_id}: executor_agent "${phase.executor_agent ?? ""}" is not on the roster`),
    ),
});

export const WAVE_FILES = valueRule({
  id: "P-22",
  because: "two phases of one wave never touch the same file",
  judge: ({ plan }: AboutPlan) => judged(plan.phases.flatMap((phase, at) => clashes(phase, plan.phases.slice(at + 1)))),
});

export const SHAPE = valueRule({
  id: "P-42",
  because: "a plan has 3 to 10 phases (fewer only when small), no code, no manual test, and tests for all code",
  judge: ({ plan }: AboutPlan) =>
    judged([...countProblems(plan), ...proseProblems(plan), ...plan.phases.flatMap(untested)]),
});

export const DESIGN = valueRule({
  id: "P-48",
  because: "choices, boundaries, flow and trade-offs are explicit before anything is built",
  judge: ({ plan }: AboutPlan) =>
    judged(
      Object.entries(plan.design_decisions)
        .filter(([, texts]) => texts.length === 0)
        .map(([name]) => `design_decisions.${name} says nothing`),
    ),
});

export const REFERENCES = valueRule({
  id: "P-75",
  because: "dependencies lie in earlier waves, and all seven risks were considered",
  judge: ({ plan }: AboutPlan) => {
    const ids = plan.phases.map((phase) => phase.phase_id);
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `phase ${id} is there twice`);
    const left = RISK_CATEGORIES.filter((category) => !plan.risk_review.some((risk) => risk.category === category));
    return judged([
      ...twice,
      ...plan.phases.flatMap((phase) => dependencyProblems(phase, plan.phases)),
      ...left.map((category) => `risk_review: ${category} is missing`),
    ]);
  },
});

/** Never a reason to refuse: the higher tier is used, and the difference is said. */
export const HONEST_TIER = valueRule({
  id: "P-71",
  because: "the tier in use is the higher of the declared and the counted one",
  judge: ({ plan }: AboutPlan) => {
    const used = tierOf(plan);
    const message = `complexity_tier ${plan.complexity_tier} is declared, its files make it ${used}`;
    const finding: Finding = { severity: "minor", message };
    return { passed: true, findings: used === plan.complexity_tier ? [] : [finding] };
  },
});

/** The plan gate. */
export const PLAN = [READY, EXECUTOR, WAVE_FILES, SHAPE, DESIGN, REFERENCES, HONEST_TIER] as const;

const FILE_LIMITS = [2, 5, 15] as const;

/** A plan does not grade itself: the tier is the higher of what it says and what its files say. */
export function tierOf(plan: Pick<Plan, "complexity_tier" | "phases">): Tier {
  const files = new Set(plan.phases.flatMap((phase) => phase.files.map((file) => file.path))).size;
  const at = FILE_LIMITS.findIndex((limit) => files <= limit);
  const computed = at === -1 ? TIERS.length - 1 : at;
  return TIERS[Math.max(computed, TIERS.indexOf(plan.complexity_tier))] ?? "LARGE";
}

export type PhaseKind = "code" | "docs" | "read-only";

export function kindOf(phase: Pick<Phase, "executor_agent" | "files">): PhaseKind {
  const agent = (phase.executor_agent ?? "").replace(/-subagent$/, "");
  if (READERS.some((reader) => reader === agent)) return "read-only";
  return agent === "TechnicalWriter" || agent === "BrowserTester" ? "docs" : "code";
}

/** What a phase may change: files that it only reads are not its own. */
export const writesOf = ({ files }: Pick<Phase, "files">): readonly string[] =>
  files.filter(({ action }) => action === "create" || action === "modify").map(({ path }) => path);

function countProblems(plan: Plan): string[] {
  const count = plan.phases.length;
  const tier = tierOf(plan);
  const small = tier === "TRIVIAL" || tier === "SMALL";
  if (count === 0) return ["the plan has no phase"];
  if (count > MOST_PHASES) return [`${count} phases are more than ${MOST_PHASES}`];
  return count < FEWEST_PHASES && !small ? [`${count} phases are too few for ${tier}`] : [];
}

const FENCE = /```|~~~/;
/** Somebody's hands instead of a command, in whatever order the words come. */
const BY_HAND = /\b(?:manual(?:ly)?|by hand)\b/i;
const TESTING = /\b(?:test|verif|check|inspect|confirm|try|click|look)\w*/i;

function proseProblems(plan: Plan): string[] {
  const decisions = Object.values(plan.design_decisions).flat();
  const whole = [plan.summary, ...decisions, ...plan.success_criteria].map((text) => ({ place: "the plan", text }));
  const parts = plan.phases.flatMap((phase) =>
    [phase.objective, ...phase.steps, ...phase.tests, ...phase.acceptance_criteria].map((text) => ({
      place: `phase ${phase.phase_id}`,
      text,
    })),
  );
  return [...whole, ...parts].flatMap(({ place, text }) => [
    ...(FENCE.test(text) ? [`${place} holds a code block: say it in prose`] : []),
    ...(BY_HAND.test(text) && TESTING.test(text) ? [`${place} asks for a manual test: "${text}"`] : []),
  ]);
}

const untested = (phase: Phase): string[] =>
  kindOf(phase) === "code" && phase.tests.length === 0 ? [`phase ${phase.phase_id} names no tests`] : [];

function dependencyProblems(phase: Phase, phases: readonly Phase[]): string[] {
  return phase.dependencies.flatMap((id) => {
    const other = phases.find((each) => each.phase_id === id);
    if (!other) return [`phase ${phase.phase_id}: dependency ${id} is no phase of the plan`];
    if (other.wave < phase.wave) return [];
    // Whoever depends in a circle meets this too: no circle runs through earlier waves only.
    return [`phase ${phase.phase_id}: dependency ${id} is in wave ${other.wave}, not before wave ${phase.wave}`];
  });
}

function clashes(phase: Phase, others: readonly Phase[]): string[] {
  const mine = new Set(writesOf(phase));
  return others
    .filter((other) => other.wave === phase.wave)
    .flatMap((other) =>
      writesOf(other)
        .filter((path) => mine.has(path))
        .map((path) => `phases ${phase.phase_id} and ${other.phase_id} of wave ${phase.wave} share ${path}`),
    );
}
