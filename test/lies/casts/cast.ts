import type { Announcement } from "../../../src/core/authoring/announcement.ts";
import type { Json } from "../../../src/core/text/json.ts";
import type { Change, Entry, Work } from "../entry.ts";
import type { Files } from "../projects/project.ts";

/** Everything about a run that its agents' answers depend on. */
export type Plot = {
  readonly request: string;
  readonly work: Work;
  /** Work of a roadmap's second item, which declares nothing. */
  readonly next?: Work;
  /** The repository before the run. */
  readonly files: Files;
  /** The verification that a roadmap's item states. */
  readonly verification: string;
  /** Tests of the base that the plan mentions to its readers, in prose. */
  readonly told: readonly string[];
  /** Changes that the plan declares as data. */
  readonly announces: readonly Announcement[];
};

/** All agents of a run, and its input. Every agent except the worker approves everything. */
export type Cast = {
  /** Arguments after `run <pipeline>`. */
  readonly args: readonly string[];
  /** Files that the pipeline itself requires in the repository. */
  readonly files: Readonly<Record<string, string>>;
  readonly agents: readonly Json[];
  /** Role whose end shows that the work was done. */
  readonly worker: string;
};

export type MakeCast = (plot: Plot) => Cast;

/** Returns everything that the work changes, whichever role leaves it. */
export const changeOf = ({ change, tests }: Work): Change => ({ ...change, ...tests });

/** Returns everything that a run leaves if every item of it is accepted. */
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

/** The file is already gone in the second round. */
const removal = (path: string): Json => ({ run: `rm -f '${path}'` });

/** Adds the declarations as a field of the dialect; a plan without declarations lacks the field. */
export const announcedAs = (field: string, { announces }: Plot): { readonly [name: string]: Json } =>
  announces.length > 0 ? { [field]: [...announces] } : {};
