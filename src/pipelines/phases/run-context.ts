import type { EventLog } from "./events.ts";
import type { Policy } from "./policy.ts";
import type { ProjectForm } from "./project-form.ts";

/** Iteration of the plan review; 0 before the first one. */
export type ReviewIteration = { readonly iteration_index: number; readonly max_iterations: number };

/** Data that every part of the run needs. */
export type PhasesContext = {
  /** UUID v4, identical in every gate event and delegation. */
  readonly trace: string;
  readonly policy: Policy;
  /** The policy or person that accepted code without a build. */
  readonly unbuiltBy?: string | undefined;
  readonly task: string;
  /** The request as the user wrote it. */
  readonly request: string;
  readonly iteration: ReviewIteration;
  /** The form that the project's own tools expect. */
  readonly form: ProjectForm;
  readonly events: EventLog;
  /** Documents written so far. */
  readonly documents: ReadonlySet<string>;
  /** The phase of this branch. Inside a wave, the event file is not written until all branches have joined. */
  readonly lane?: number;
  /** True if a person requested a final review. */
  readonly finalReview?: boolean;
};

/**
 * Identifies the run and the round in a payload or event.
 * @rule P-35 (policy) Every gate event and every delegation contains `trace_id` (UUID v4), `iteration_index` and
 *   `max_iterations`.
 */
export const getTrace = ({ trace, iteration }: Pick<PhasesContext, "trace" | "iteration">) => ({
  trace_id: trace,
  ...iteration,
});

/** Returns the context for an iteration of the plan review. */
export const withIteration = (
  context: PhasesContext,
  iteration_index: number,
  max_iterations: number,
): PhasesContext => ({
  ...context,
  iteration: { iteration_index, max_iterations },
});
