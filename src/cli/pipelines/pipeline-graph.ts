import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { phasesOf } from "./pipeline-facts.ts";

/** Renders the phases with their roles and all declared moves. A phase can always repeat itself. */
export function mermaidOf(pipeline: Pipeline): string {
  const phases = phasesOf(pipeline);
  const id = (title: string): string => `p${phases.findIndex((phase) => phase.title === title)}`;
  const quoted = (text: string): string => `"${text.replaceAll('"', "#quot;")}"`;
  const nodes = phases.map(({ title, roles }) => `  ${id(title)}[${quoted([title, ...roles].join("<br/>"))}]`);
  const edges = phases.flatMap(({ title, next }) => next.map((to) => `  ${id(title)} --> ${id(to)}`));
  return ["flowchart TD", ...nodes, ...edges].join("\n");
}
