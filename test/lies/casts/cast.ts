import type { Json } from "../../../src/core/json.ts";
import type { Change, Entry, Work } from "../entry.ts";

/** Everyone who plays in a run, and what the run is given. All but the one at work are content with everything. */
export type Cast = {
  /** After `run <pipeline>`. */
  readonly args: readonly string[];
  /** Files that the pipeline itself needs in the repository. */
  readonly files: Readonly<Record<string, string>>;
  readonly agents: readonly Json[];
  /** Whose end shows that the work was done at all. */
  readonly worker: string;
};

export type MakeCast = (entry: Entry) => Cast;

/** All that the work changes, whoever leaves it. */
export const changeOf = ({ change, tests }: Work): Change => ({ ...change, ...tests });

/** All that a run leaves if every item of it is taken. */
export const leftBy = ({ work, next }: Entry): Change => ({ ...changeOf(work), ...(next ? changeOf(next) : {}) });

export const pathsOf = (work: Work): readonly string[] => Object.keys(changeOf(work));

export const plannedOf = (work: Work): readonly string[] => work.planned ?? orSomething(pathsOf(work));

export const claimedOf = (work: Work): readonly string[] => work.claimed ?? orSomething(pathsOf(work));

const orSomething = (paths: readonly string[]): readonly string[] => (paths.length > 0 ? paths : ["README.md"]);

/** As the plan says it to the engine: it counts where a person has read it. */
export const announcementsOf = (entry: Entry): Json[] =>
  announcedOf(entry).length === 0 ? [] : [announcementOf(entry)];

const announcementOf = (entry: Entry): Json => ({
  was: "what these tests say",
  becomes: entry.request,
  tests: announcedOf(entry).map((name) => `*${name}*`),
});

export function actionsOf(change: Change, run?: string): Json[] {
  const actions = Object.entries(change).map(
    ([path, content]): Json => (content === null ? removal(path) : { write: { path, content } }),
  );
  return run === undefined ? actions : [...actions, { run }];
}

/** The second round finds the file gone already. */
const removal = (path: string): Json => ({ run: `rm -f '${path}'` });

/** What a person reads in the plan about expectations that are to change. */
export const announcedOf = ({ announces = [] }: Entry): readonly string[] => announces;
