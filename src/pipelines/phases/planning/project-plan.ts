import { z } from "zod";
import { readYaml } from "../../../core/text/outside-yaml.ts";
import { yamlText } from "../../../core/text/yaml-text.ts";
import type { Phase, Plan } from "./plan.ts";

const SCHEMA_VERSION = "1.2.0";
const SHORTEST_REASON = 3;

/** Converts a plan to the schema that some projects have of their own, and returns the fields that the schema lacks. */
export function toProjectPlan(plan: Plan): { readonly data: object; readonly more: object } {
  const { design_decisions, announces, kind, revision_of, open_questions, phases, ...fields } = plan;
  const data = {
    schema_version: SCHEMA_VERSION,
    ...fields,
    phases: phases.map(toProjectPhase),
    open_questions: open_questions.map(({ question, options, recommendation }) => ({
      question,
      options,
      recommendation,
    })),
    handoff: { target_agent: "Orchestrator", prompt: "Carry out this plan." },
    ...(plan.complexity_tier === "LARGE" && { diagrams: buildDiagrams(phases) }),
    ...(revision_of === undefined
      ? { revision_mode: "initial_create" }
      : { revision_mode: "new_artifact_supersession", revision_of, existing_plan_path: revision_of }),
  };
  const more = {
    ...(design_decisions && { design_decisions }),
    ...(announces && { announces }),
    ...(kind && { kind }),
    open_questions: open_questions.map(({ question, class: kind, phase_id }) => ({ question, class: kind, phase_id })),
    phases: phases.map(({ phase_id, destructive, production, approval_actions }) => {
      return { phase_id, destructive, production, approval_actions };
    }),
  };
  return { data, more };
}

function toProjectPhase({ destructive: _, production: __, approval_actions: ___, ...phase }: Phase): object {
  const files = phase.files.map(({ path, action, reason }) => {
    return { path, action, reason: reason.length < SHORTEST_REASON ? `${action} ${path}` : reason };
  });
  return { ...phase, files, executor_agent: `${phase.executor_agent.replace(/-subagent$/, "")}-subagent` };
}

/** Diagrams of dependencies and dispatch order; required for LARGE plans. */
function buildDiagrams(phases: readonly Phase[]): readonly object[] {
  const nodes = phases.map(({ phase_id, title }) => `  P${phase_id}["${title.replaceAll('"', "'")}"]`);
  const edges = phases.flatMap(({ phase_id, dependencies }) => dependencies.map((id) => `  P${id} --> P${phase_id}`));
  const sends = phases
    .toSorted((a, b) => a.wave - b.wave)
    .map(({ phase_id, wave, executor_agent }) => `  Orchestrator->>${executor_agent}: wave ${wave}, phase ${phase_id}`);
  return [
    { type: "flowchart", title: "Dependencies", mermaid_source: ["flowchart TD", ...nodes, ...edges].join("\n") },
    { type: "sequenceDiagram", title: "Order", mermaid_source: ["sequenceDiagram", ...sends].join("\n") },
  ];
}

const FENCE = "```yaml signalbox";
const BLOCK = /^```yaml signalbox\r?\n([\s\S]*?)^```/m;

/** The block at the end of such a plan with the fields that the schema lacks, so that the file can be used as input. */
export const formatExtraBlock = (more: object): string => `${FENCE}\n${yamlText(more)}\`\`\``;

const ExtraBlock = z.looseObject({
  phases: z.array(z.looseObject({ phase_id: z.number() })).default([]),
  open_questions: z.array(z.looseObject({ question: z.string() })).default([]),
});
const PlanParts = ExtraBlock.partial();

/** Merges a plan's data with the block in its document. */
export function mergeExtraBlock(data: unknown, document: string): unknown {
  const [, block] = BLOCK.exec(document) ?? [];
  const read = block === undefined ? undefined : readYaml(block);
  const more = ExtraBlock.safeParse(read?.ok ? read.value : undefined).data;
  const parts = PlanParts.safeParse(data).data;
  if (!more || !parts) return data;
  const phases = parts.phases?.map((phase) => ({
    ...phase,
    ...more.phases.find((each) => each.phase_id === phase.phase_id),
  }));
  const open_questions = parts.open_questions?.map((open) => ({
    ...open,
    ...more.open_questions.find((each) => each.question === open.question),
  }));
  return { ...parts, ...more, ...(phases && { phases }), ...(open_questions && { open_questions }) };
}
