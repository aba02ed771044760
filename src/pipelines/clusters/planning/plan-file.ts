import { wavesIn } from "./plan-waves.ts";
import { namesOf } from "./task-names.ts";

export type PlanFile = {
  /** Ids that must be done before this one: earlier waves, and what its line names. */
  before(id: string): readonly string[];
  /** It has waves, and this one is in none of them. */
  misses(id: string): boolean;
  /** Each with the line's task, what was expected and what was found. */
  readonly problems: readonly string[];
};

/** What `plan.md` says of the order, in the ids of the tasks that there are. */
export function readPlanFile(plan: string, known: readonly string[]): PlanFile {
  const named = namesOf(known);
  const waves = wavesIn(plan).map(({ title, tasks }) => ({
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
      ...waves.filter(({ tasks }) => tasks.length === 0).map(({ title }) => emptyWave(title)),
      ...ghosts.map(({ id }) => `plan.md: ${id}: expected its task file tasks/${id}.md, found none`),
      ...unknown.map(({ id, other }) => `plan.md: ${id}: depends_on: expected the id of a task, found "${other}"`),
    ],
  };
}

const emptyWave = (title: string): string =>
  `plan.md: "${title}": expected its tasks, as a list or a table that names their ids, found none that could be read`;
