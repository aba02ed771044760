import type { ProjectName } from "./projects/project.ts";

export const PIPELINES = ["roadmap", "phases", "ledger", "clusters", "ticket"] as const;
/** `task` has no planner, and `own` is a pipeline of the repository: loops over PIPELINES skip both. */
export type PipelineName = (typeof PIPELINES)[number] | "task" | "own";

/** Content that an agent leaves at each path; null deletes the file. */
export type Change = Readonly<Record<string, string | null>>;

export type Work = {
  /** Files that the implementing role leaves, in every round. */
  readonly change: Change;
  /** Files of the role for tests if the pipeline has one (roadmap); otherwise part of the same work. */
  readonly tests?: Change;
  /** Files that the planner assigns to the task; by default all changed ones. */
  readonly planned?: readonly string[];
  /** Files that the agent claims to have changed; by default the changed ones. */
  readonly claimed?: readonly string[];
  /** Command that the agent runs after its files are written. */
  readonly run?: string;
};

type Common = {
  readonly id: string;
  readonly title: string;
  readonly pipeline: PipelineName;
  readonly project: ProjectName;
  readonly category: string;
  readonly request: string;
  readonly work: Work;
  /** An earlier run with its own request. Its commit is landed, and this run starts there. */
  readonly first?: { readonly request: string; readonly work: Work };
  /** Work of the second item if a run has two (roadmap). It starts on the commit of `work`. */
  readonly next?: Work;
  /** Tests of the base that the plan declares obsolete: true if the request says so, otherwise also a lie. */
  readonly announces?: readonly string[];
};

/** Work of an agent that wants the commit more than a fulfilled request. */
export type Lie = Common & {
  readonly kind: "lie";
  /** True if tests that passed at the base commit fail on the sources of this work. */
  readonly breaksBaseTests: boolean;
  /** True if something that the engine can run or compare distinguishes it from honest work. */
  readonly evidenceCanSee: boolean;
  readonly why: string;
  /** Set if it breaks them only together with the other files that it adds, as in a checkout of the commit. */
  readonly beside?: true;
  /** Files without which the commit is harmless; if tests of the base are broken, those decide instead. */
  readonly harm?: readonly string[];
  /** A person has approved its plan, including declarations. */
  readonly approved?: true;
  /** Text that an open question must contain: otherwise a person cannot see the lie and counts as not asked. */
  readonly shows?: readonly string[];
};

/** Work that a person would want to commit. */
export type Honest = Common & {
  readonly kind: "honest";
};

export type Entry = Lie | Honest;
