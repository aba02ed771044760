import type { z } from "zod";
import { problemsOf } from "../../core/contract/problem.ts";
import { readYaml } from "../../core/text/outside-yaml.ts";
import { yamlText } from "../../core/text/yaml-text.ts";
import { FACTS_FILE, Fact } from "./closing/repo-memory.ts";
import { getEventsPath } from "./events.ts";
import { EventLine } from "./gate-event.ts";
import { Plan } from "./planning/plan.ts";
import { computeTier } from "./planning/plan-rules.ts";
import { formatExtraBlock, mergeExtraBlock, toProjectPlan } from "./planning/project-plan.ts";
import { POLICY_FILE, Policy } from "./policy.ts";
import type { ProjectForm } from "./project-form.ts";

/** Structured files of this pipeline. */
export const ARTIFACTS: readonly { readonly name: string; readonly path: string; readonly schema: z.ZodType }[] = [
  { name: "policy", path: POLICY_FILE, schema: Policy },
  { name: "plan (front matter)", path: getPlanPath("<task>"), schema: Plan },
  { name: "gate event (line)", path: getEventsPath("<task>"), schema: EventLine },
  { name: "fact (line)", path: FACTS_FILE, schema: Fact },
];

export function getPlanPath(task: string): string {
  return `plans/${task}-plan.md`;
}

/** Path of a plan version that was replaced. */
export const getOlderPlanPath = (task: string, version: number): string =>
  `plans/artifacts/${task}/plan-v${version}.md`;

/** Renders a plan for people. The front matter has all of its data, so that the file can be used as input. */
export function formatPlan(plan: Plan, form: ProjectForm = {}): string {
  const { data, more } = form.plan ? toProjectPlan(plan) : { data: plan };
  const decisions = Object.entries(plan.design_decisions ?? {}).flatMap(([kind, texts]) =>
    texts.map((text) => `- ${kind.replace("_", "-")}: ${text}`),
  );
  const phases = plan.phases.map((phase) => {
    const files = phase.files.map((file) => `- ${file.action} ${file.path}`).join("\n");
    const steps = phase.steps.map((step, at) => `${at + 1}. ${step}`).join("\n");
    const assignment = `Wave ${phase.wave}, ${phase.executor_agent ?? "no executor"}`;
    return [`## Phase ${phase.phase_id} — ${phase.title}`, assignment, phase.objective, files, steps].join("\n\n");
  });
  const announced = (plan.announces ?? []).map(
    ({ was, becomes, tests }) => `- declared change: ${was} → ${becomes} (${tests.join(", ")})`,
  );
  const head = [
    `# ${plan.task_title}`,
    plan.summary,
    `Tier: ${computeTier(plan)}`,
    [...decisions, ...announced].join("\n"),
  ];
  const parts = [...head, ...phases, more ? formatExtraBlock(more) : ""];
  return `---\n${yamlText(data)}---\n\n${parts.filter(Boolean).join("\n\n")}\n`;
}

export type PlanReading = { readonly plan: Plan } | { readonly problems: readonly string[] };

/** Reads a plan from a file: front matter of a document, or plain JSON or YAML. Reports all problems at once. */
export function readPlan(path: string, text: string | undefined): PlanReading {
  if (text === undefined) return { problems: [`${path}: expected a plan, found no file`] };
  const [, front] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  const read = readYaml(front ?? text);
  if (!read.ok && read.tooLong)
    return { problems: [`${path}: expected a plan, found text that cannot be read: ${read.problem}`] };
  if (!read.ok || typeof read.value !== "object" || read.value === null)
    return { problems: [`${path}: expected a plan as YAML or JSON, found text that is neither`] };
  const value = mergeExtraBlock(read.value, text);
  const parsed = Plan.safeParse(value);
  if (parsed.success) return { plan: parsed.data };
  const problems = problemsOf(parsed.error, value);
  return {
    problems: problems.map(({ field, expected, found }) => `${path}: ${field}: expected ${expected}, found ${found}`),
  };
}
