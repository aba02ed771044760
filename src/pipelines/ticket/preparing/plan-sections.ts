import type { Prompt, Task } from "../contracts.ts";
import { createRequestInput } from "./request-input.ts";

const HEADING = /^(#{1,6})\s/;
const FENCE = /^\s*(```|~~~)/;

/**
 * Returns the context for agents that implement or review these tasks: the request, and the plan sections whose heading
 * names a task.
 */
export function createTaskContext(
  tasks: readonly Pick<Task, "id">[],
  { prompt, plan }: { prompt: Prompt; plan: string },
) {
  const sections = extractSections(
    plan,
    tasks.map(({ id }) => id),
  );
  return { request: createRequestInput(prompt), ...(sections === "" ? {} : { plan: sections }) };
}

/** Returns the sections with their subsections, in order. Headings in code blocks do not count. */
export function extractSections(plan: string, ids: readonly string[]): string {
  const taken: string[] = [];
  let fenced = false;
  let depth: number | undefined;
  for (const line of plan.split("\n")) {
    if (FENCE.test(line)) fenced = !fenced;
    const level = fenced ? undefined : HEADING.exec(line)?.[1]?.length;
    if (level !== undefined && (depth === undefined || level <= depth)) {
      depth = ids.some((id) => hasTaskId(line, id)) ? level : undefined;
    }
    if (depth !== undefined) taken.push(line);
  }
  return taken.join("\n").trim();
}

/** Matches whole names: `T1` does not match `T10`. */
function hasTaskId(heading: string, id: string): boolean {
  return heading.split(/[^\w.-]+/).some((word) => word.replace(/\.$/, "") === id);
}
