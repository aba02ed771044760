import type { EventLog } from "./events.ts";
import type { Policy } from "./policy.ts";
import type { ProjectForm } from "./project-form.ts";

/** Where the review of the plan stands; 0 before the first one. */
export type Iteration = { readonly iteration_index: number; readonly max_iterations: number };

/** What every part of the run carries along. */
export type Context = {
  /** A UUID of version 4: the same in every gate event and every delegation. */
  readonly trace: string;
  readonly policy: Policy;
  /** Who accepts that code is complete without a build. */
  readonly unbuiltBy?: string | undefined;
  readonly task: string;
  /** What was asked, in the words of whoever asked. */
  readonly request: string;
  readonly iteration: Iteration;
  /** The form that the project's own tools expect of plans. */
  readonly form: ProjectForm;
  readonly events: EventLog;
  /** What it has written so far beside the work. */
  readonly documents: ReadonlySet<string>;
  /** The phase whose branch this is: inside a wave the event file is left alone until all branches are back. */
  readonly lane?: number;
  /** A person asked for a review of everything together. */
  readonly finalReview?: boolean;
};

/**
 * What ties a payload or an event to this run and this round.
 * @rule P-35 (policy) One UUID runs through every event and every payload, with the iteration and the most there may
 *   be.
 */
export const traceOf = ({ trace, iteration }: Pick<Context, "trace" | "iteration">) => ({
  trace_id: trace,
  ...iteration,
});

/** The same context in an iteration of the plan's review. */
export const inIteration = (context: Context, iteration_index: number, max_iterations: number): Context => ({
  ...context,
  iteration: { iteration_index, max_iterations },
});
