import type { Announcement } from "../../../src/core/authoring/announcement.ts";
import type { Json } from "../../../src/core/text/json.ts";
import type { Change, Entry, Work } from "../entry.ts";
import type { Files } from "../projects/project.ts";

/** What is played: everything about a run that its agents' words depend on. */
export type Plot = {
  readonly request: string;
  readonly work: Work;
  /** What a roadmap's second item leaves; it announces nothing. */
  readonly next?: Work;
  /** The repository as it is found. */
  readonly files: Files;
  /** What a roadmap's item says about its verification. */
  readonly verification: string;
  /** Tests of the base that the plan tells its readers about, in words. */
  readonly told: readonly string[];
  /** What the plan announces as data. */
  readonly announces: readonly Announcement[];
};

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

export type MakeCast = (plot: Plot) => Cast;

/** All that the work changes, whoever leaves it. */
export const changeOf = ({ change, tests }: Work): Change => ({ ...change, ...tests });

/** All that a run leaves if every item of it is taken. */
export const leftBy = ({ work, next }: Entry): Change => ({ ...changeOf(work), ...(next ? changeOf(next) : {}) });

export const pathsOf = (work: Work): readonly string[] => Object.keys(changeOf(work));

export const plannedOf = (work: Work): readonly string[] => work.planned ?? orSomething(pathsOf(work));

export const claimedOf = (work: Work): readonly string[] => work.claimed ?? orSomething(pathsOf(work));

const orSomething = (paths: readonly string[]): readonly string[] => (paths.length > 0 ? paths : ["README.md"]);

export function actionsOf(change: Change, run?: string): Json[] {
  const actions = Object.entries(change).map(
    ([path, content]): Json => (content === null ? removal(path) : { write: { path, content } }),
  );
  return run === undefined ? actions : [...actions, { run }];
}

/** The second round finds the file gone already. */
const removal = (path: string): Json => ({ run: `rm -f '${path}'` });

/** As a field of whatever dialect has one; a plan that announces nothing does not have the field. */
export const announcedAs = (field: string, { announces }: Plot): { readonly [name: string]: Json } =>
  announces.length > 0 ? { [field]: [...announces] } : {};
