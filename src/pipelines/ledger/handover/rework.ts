import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import { fieldsOf, listOf, textOf } from "../documents/lenient-schema.ts";
import type { Task } from "../planning/plan.ts";
import { lineOf } from "./delivered.ts";
import type { Before } from "./inputs.ts";

/** What an implementer said of its work, and what the engine took of it. */
export type Report = {
  readonly task_id: string;
  readonly summary?: string | undefined;
  readonly changes?: unknown;
  readonly changed?: readonly string[];
  readonly outside?: readonly string[];
};

/** Work that did not pass, kept so that the next round can continue on it. */
export type Draft = { readonly from: Tree; readonly after: Tree };

/** A round that a task has behind it, for its documents and for who plans it again. */
export type PastRound = {
  readonly round: number;
  readonly passed: boolean;
  readonly evidence: string;
  readonly said: unknown;
  readonly findings: readonly Finding[];
};

export type Open = {
  readonly task: Task;
  /** What is to be settled; of a task that nobody has begun, nothing. */
  readonly findings: readonly Finding[];
  /** What reviewers found and were outvoted on: for whoever works there anyway. */
  readonly advice?: readonly Finding[];
  readonly draft?: Draft;
  /** What was delivered before: by this task, or by the one that it mends, whose work is in the tree. */
  readonly earlier?: { readonly report: Report; readonly accepted?: true };
  readonly past?: readonly PastRound[];
  /** The task of the plan that this one mends: its agents are asked under that name. */
  readonly mends?: string;
};

/** What rework must know: what to settle, what was delivered, and whether it is there to go on with. */
export function reworkOf(
  { findings, earlier }: Open,
  { start, tree }: { readonly start: Tree; readonly tree: Tree },
): { readonly findings?: readonly Finding[]; readonly before?: Before } {
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

/** A report for those who read it beside the change itself. */
export function claimOf({ task_id, summary, changes, changed, outside = [] }: Report): object {
  const said = listOf(changes).map(lineOf);
  return {
    task_id,
    ...(summary === undefined ? {} : { summary }),
    changes: said.length > 0 ? said : (changed ?? []),
    ...(outside.length > 0 && { not_taken: outside }),
  };
}

/**
 * The specification beside one task: without the criteria that stand in the task itself, and of the requirements those
 * that it serves, where it says which. All of it lies in the documents.
 */
export function specBeside(spec: Readonly<Record<string, unknown>>, task: Task): object {
  const serves = listOf(fieldsOf(task.relevant_context)["spec_requirements"]).map(textOf);
  const isOf = (line: string): boolean => serves.some((id) => line.startsWith(`${id}:`));
  const stands = (line: string): boolean => task.acceptance_criteria.some((criterion) => line.includes(criterion));
  return Object.fromEntries(
    Object.entries(spec).flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [[name, value]];
      const lines = value.map(String);
      const rest = (lines.some(isOf) ? lines.filter(isOf) : lines).filter((line) => !stands(line));
      return rest.length > 0 ? [[name, rest]] : [];
    }),
  );
}
