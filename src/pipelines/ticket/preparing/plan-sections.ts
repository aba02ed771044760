import type { Prompt, Task } from "../contracts.ts";
import { askedFor } from "./asked-for.ts";

const HEADING = /^(#{1,6})\s/;
const FENCE = /^\s*(```|~~~)/;

/**
 * What whoever does or judges these tasks works by beside them: the person's request, and of the plan the sections under
 * headings that name a task. All else in it is for people, the Splitter and the next planner.
 */
export function groundsOf(tasks: readonly Pick<Task, "id">[], { prompt, plan }: { prompt: Prompt; plan: string }) {
  const sections = sectionsOf(
    plan,
    tasks.map(({ id }) => id),
  );
  return { request: askedFor(prompt), ...(sections === "" ? {} : { plan: sections }) };
}

/** Each with all that stands below it, in the plan's order; code is no heading. */
export function sectionsOf(plan: string, ids: readonly string[]): string {
  const taken: string[] = [];
  let fenced = false;
  let depth: number | undefined;
  for (const line of plan.split("\n")) {
    if (FENCE.test(line)) fenced = !fenced;
    const level = fenced ? undefined : HEADING.exec(line)?.[1]?.length;
    if (level !== undefined && (depth === undefined || level <= depth)) {
      depth = ids.some((id) => isNamedIn(line, id)) ? level : undefined;
    }
    if (depth !== undefined) taken.push(line);
  }
  return taken.join("\n").trim();
}

/** As a whole name: `T1` is not in `T10`. */
function isNamedIn(heading: string, id: string): boolean {
  return heading.split(/[^\w.-]+/).some((word) => word.replace(/\.$/, "") === id);
}
