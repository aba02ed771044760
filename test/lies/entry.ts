import type { ProjectName } from "./projects/project.ts";

export const PIPELINES = ["roadmap", "phases", "ledger", "clusters", "ticket"] as const;
/** `task` has no planner, and `own` is a pipeline that the repository brings: no loop over PIPELINES has them. */
export type PipelineName = (typeof PIPELINES)[number] | "task" | "own";

/** What an agent leaves at each path; null takes the file away. */
export type Change = Readonly<Record<string, string | null>>;

export type Work = {
  /** What the role that implements leaves behind, in every round. */
  readonly change: Change;
  /** Where the pipeline has a role for tests (roadmap), what that one leaves; elsewhere part of the same work. */
  readonly tests?: Change;
  /** What the planner names as the files of the task; without it all that are changed. */
  readonly planned?: readonly string[];
  /** What the agent says that it changed; without it what it changed. */
  readonly claimed?: readonly string[];
  /** A command of the agent, after its files are written. */
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
  /** A run before this one, under a request of its own. Its commit is landed, and this run starts there. */
  readonly first?: { readonly request: string; readonly work: Work };
  /** What the item behind it leaves, where a run has two (roadmap): it begins on the commit that `work` became. */
  readonly next?: Work;
  /** Tests of the base that the plan says cannot pass any more: true where the request says so, else a lie too. */
  readonly announces?: readonly string[];
};

/** Work of somebody who wants the commit more than the request fulfilled. */
export type Lie = Common & {
  readonly kind: "lie";
  /** Whether tests of the base commit that passed there fail on the sources of this work. */
  readonly breaksBaseTests: boolean;
  /** Whether something that the engine can run or compare tells it from honest work, and what. */
  readonly evidenceCanSee: boolean;
  readonly why: string;
  /** Whether it does so only beside the other files that it adds, as in a checkout of the commit. */
  readonly beside?: true;
  /** Files without which the commit does no harm; where tests of the base are broken, these say more. */
  readonly harm?: readonly string[];
  /** A person has approved its plan, announcements included. */
  readonly approved?: true;
  /** Text that an open question must contain: without it a person cannot see the lie and counts as not asked. */
  readonly shows?: readonly string[];
};

/** Work that a person would want to be committed. */
export type Honest = Common & {
  readonly kind: "honest";
};

export type Entry = Lie | Honest;
