import type { Change } from "../../../core/authoring/observations.ts";
import type { ExamRequest } from "../../../core/journal/effect.ts";
import type { ComposeOrder } from "../../../core/ports/workspace.ts";

/** The tree of old tests and new code, and what it was made of. */
export type OldOnNew = {
  readonly request: ExamRequest;
  readonly changes: readonly Change[];
  readonly oldOnNew: string;
  /** What makes `oldOnNew` of the new tree. */
  readonly order: ComposeOrder;
};
