import type { Change } from "../../../core/authoring/observations.ts";
import type { ExamRequest } from "../../../core/journal/effect.ts";
import type { ComposeOrder } from "../../../core/ports/workspace.ts";

/** The tree of old tests and new code, and what it was composed of. */
export type OldOnNew = {
  readonly request: ExamRequest;
  readonly changes: readonly Change[];
  readonly oldOnNew: string;
  /** The order that composes `oldOnNew` from the new tree. */
  readonly order: ComposeOrder;
};
