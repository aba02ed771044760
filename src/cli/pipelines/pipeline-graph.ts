import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { listPipelinePhases } from "./pipeline-facts.ts";

/** Renders the phases with their roles and all declared moves. A phase can always repeat itself. */
export function renderMermaid(pipeline: Pipeline): string {
  const phases = listPipelinePhases(pipeline);
  const getNodeId = (title: string): string => `p${phases.findIndex((phase) => phase.title === title)}`;
  const quoteLabel = (text: string): string => `"${text.replaceAll('"', "#quot;")}"`;
  const nodes = phases.map(
    ({ title, roles }) => `  ${getNodeId(title)}[${quoteLabel([title, ...roles].join("<br/>"))}]`,
  );
  const edges = phases.flatMap(({ title, next }) => next.map((to) => `  ${getNodeId(title)} --> ${getNodeId(to)}`));
  return ["flowchart TD", ...nodes, ...edges].join("\n");
}
