import { unfenced } from "./findings.ts";

/** A task as `plan.md` lists it. */
type Listed = { readonly id: string; readonly depends_on: readonly string[]; readonly isTask: boolean };

export type PlanFile = {
  /** Ids that must be done before this one: earlier waves, and what its line names. */
  before(id: string): readonly string[];
  /** Each with the line's task, what was expected and what was found. */
  readonly problems: readonly string[];
};

/** What `plan.md` says of the order, in the ids of the tasks that there are. */
export function readPlanFile(plan: string, known: readonly string[]): PlanFile {
  // A plan may call `01-greet` by its number.
  const named = (id: string): string => known.find((each) => each === id || each.startsWith(`${id}-`)) ?? id;
  const groups = listed(plan).map((group) =>
    group.map((each) => ({ ...each, id: named(each.id), depends_on: each.depends_on.map(named) })),
  );
  const all = groups.flat().filter(({ id, isTask }) => isTask || known.includes(id));
  const ghosts = all.filter(({ id }) => !known.includes(id));
  const unknown = all.flatMap(({ id, depends_on }) =>
    depends_on.filter((other) => !known.includes(other)).map((other) => ({ id, other })),
  );
  return {
    before(id) {
      const at = groups.findIndex((group) => group.some((each) => each.id === id));
      const earlier = groups.slice(0, Math.max(at, 0)).flat();
      const own = groups[at]?.find((each) => each.id === id)?.depends_on ?? [];
      return [...new Set([...earlier.map((each) => each.id), ...own])];
    },
    problems: [
      ...ghosts.map(({ id }) => `plan.md: ${id}: expected its task file tasks/${id}.md, found none`),
      ...unknown.map(({ id, other }) => `plan.md: ${id}: depends_on: expected the id of a task, found "${other}"`),
    ],
  };
}

const WAVE = /^(?:#{2,6}\s+|\*\*\s*)wave\b/i;
const LINE = /^\s*(?:[-*]|\d+[.)])\s+(?:\[[ x]\]\s+)?[`*]*(?:tasks\/)?([\w.-]+)(.*)$/i;

/** `### Wave 1 (parallel)` and below it `- 01-greet (depends_on: none)`. */
function listed(plan: string): Listed[][] {
  const groups: Listed[][] = [];
  for (const line of unfenced(plan)) {
    if (WAVE.test(line)) groups.push([]);
    else if (/^#{1,6}\s/.test(line)) {
      if (groups.length > 0) break;
    } else {
      const [, id, rest = ""] = LINE.exec(line) ?? [];
      if (id) groups.at(-1)?.push(lineOf(id, rest));
    }
  }
  return groups;
}

/** Other lists may stand below a wave: a task is what has a number or says what it depends on. */
function lineOf(name: string, rest: string): Listed {
  const [, said] = /depends[_ ]on[`*_]*\s*:?\s*([^)]*)/i.exec(rest) ?? [];
  const id = name.replace(/\.md$/, "");
  return { id, depends_on: idsIn(said ?? ""), isTask: said !== undefined || /^\d+[-_]/.test(id) };
}

/** A task is a file. */
const MOST_NAME = 255;

/** `[01-a, 02-b]`, `01-a`, `none`. */
const idsIn = (said: string): string[] =>
  said
    .split(/[\s,]+/)
    .filter((word) => word.length <= MOST_NAME)
    .map((word) => word.replace(/^[^\w]+|[^\w]+$/g, "").replace(/\.md$/, ""))
    .filter((word) => /\d/.test(word) || !/^(|none|nothing|n\/?a|and)$/i.test(word));
