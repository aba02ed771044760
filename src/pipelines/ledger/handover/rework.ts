import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import { toFields, toList, toText } from "../documents/lenient-schema.ts";
import type { Task } from "../planning/plan.ts";
import type { PreviousDelivery } from "./inputs.ts";
import { formatEntryLine } from "./short-answer.ts";

/** An implementer's claims, and what the engine accepted of them. */
export type ImplementationReport = {
  readonly task_id: string;
  readonly summary?: string | undefined;
  readonly changes?: unknown;
  readonly changed?: readonly string[];
  readonly outside?: readonly string[];
};

/** Work that did not pass, stored so that the next round can continue it. */
export type Draft = { readonly from: Tree; readonly after: Tree };

/** A past round of a task, for its documents and for a replan. */
export type PastRound = {
  readonly round: number;
  readonly passed: boolean;
  readonly evidence: string;
  readonly said: unknown;
  readonly findings: readonly Finding[];
};

export type OpenTask = {
  readonly task: Task;
  /** Findings to fix; empty for a task that has not started. */
  readonly findings: readonly Finding[];
  /** Review findings that were outvoted, shown to the task that changes the same files. */
  readonly advice?: readonly Finding[];
  readonly draft?: Draft;
  /** Previous delivery of this task, or of the accepted task that it fixes. */
  readonly earlier?: { readonly report: ImplementationReport; readonly accepted?: true };
  readonly past?: readonly PastRound[];
  /** Task of the plan that this one fixes; its agents are dispatched under that name. */
  readonly mends?: string;
};

/** Builds the rework input: the findings, the previous delivery, and whether it is still in the tree. */
export function createReworkInput(
  { findings, earlier }: OpenTask,
  { start, tree }: { readonly start: Tree; readonly tree: Tree },
): { readonly findings?: readonly Finding[]; readonly before?: PreviousDelivery } {
  const settle = findings.length > 0 ? { findings } : {};
  if (!earlier) return settle;
  const { summary, changed = [], outside = [] } = earlier.report;
  return {
    ...settle,
    before: {
      in_the_tree: earlier.accepted ?? start.tree !== tree.tree,
      ...(summary === undefined ? {} : { summary }),
      changed,
      ...(outside.length > 0 && { not_taken: outside }),
    },
  };
}

/** Formats a report for agents that also see the change. */
export function formatClaim({ task_id, summary, changes, changed, outside = [] }: ImplementationReport): object {
  const said = toList(changes).map(formatEntryLine);
  return {
    task_id,
    ...(summary === undefined ? {} : { summary }),
    changes: said.length > 0 ? said : (changed ?? []),
    ...(outside.length > 0 && { not_taken: outside }),
  };
}

/**
 * Reduces the specification to one task: the requirements that it serves, without criteria that the task repeats. The
 * documents contain all of it.
 */
export function narrowSpec(spec: Readonly<Record<string, unknown>>, task: Task): object {
  const serves = toList(toFields(task.relevant_context)["spec_requirements"]).map(toText);
  const isServed = (line: string): boolean => serves.some((id) => line.startsWith(`${id}:`));
  const isRepeated = (line: string): boolean => task.acceptance_criteria.some((criterion) => line.includes(criterion));
  return Object.fromEntries(
    Object.entries(spec).flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [[name, value]];
      const lines = value.map(String);
      const rest = (lines.some(isServed) ? lines.filter(isServed) : lines).filter((line) => !isRepeated(line));
      return rest.length > 0 ? [[name, rest]] : [];
    }),
  );
}
