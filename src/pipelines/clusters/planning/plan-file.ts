import { parseWaves } from "./plan-waves.ts";
import { createTaskResolver } from "./task-names.ts";

export type PlanFile = {
  /** Returns the tasks that must finish before this one: earlier waves, and its own dependencies. */
  before(id: string): readonly string[];
  /** Returns whether the plan has waves and this task is in none of them. */
  misses(id: string): boolean;
  /** Problems, each with the task, the expected and the actual text. */
  readonly problems: readonly string[];
};

/** Parses the task order in `plan.md` and resolves it to the ids of existing tasks. */
export function readPlanFile(plan: string, known: readonly string[]): PlanFile {
  const named = createTaskResolver(known);
  const waves = parseWaves(plan).map(({ title, tasks }) => ({
    title,
    tasks: tasks
      .map((each) => ({ ...each, id: named(each.id), depends_on: each.depends_on.map(named) }))
      .filter(({ id, isTask }) => isTask || known.includes(id)),
  }));
  const all = waves.flatMap(({ tasks }) => tasks);
  const ghosts = all.filter(({ id }) => !known.includes(id));
  const unknown = all.flatMap(({ id, depends_on }) =>
    depends_on.filter((other) => !known.includes(other)).map((other) => ({ id, other })),
  );
  return {
    before(id) {
      const at = waves.findIndex(({ tasks }) => tasks.some((each) => each.id === id));
      const earlier = waves.slice(0, Math.max(at, 0)).flatMap(({ tasks }) => tasks);
      const own = waves[at]?.tasks.find((each) => each.id === id)?.depends_on ?? [];
      return [...new Set([...earlier.map((each) => each.id), ...own])].filter((other) => other !== id);
    },
    misses: (id) => waves.length > 0 && !all.some((each) => each.id === id),
    problems: [
      ...waves.filter(({ tasks }) => tasks.length === 0).map(({ title }) => describeEmptyWave(title)),
      ...ghosts.map(({ id }) => `plan.md: ${id}: expected its task file tasks/${id}.md, found none`),
      ...unknown.map(({ id, other }) => `plan.md: ${id}: depends_on: expected the id of a task, found "${other}"`),
    ],
  };
}

const describeEmptyWave = (title: string): string =>
  `plan.md: "${title}": expected its tasks, as a list or a table that names their ids, found none that could be read`;
