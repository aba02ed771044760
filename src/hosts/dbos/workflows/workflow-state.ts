import type { WorkflowStatus } from "@dbos-inc/dbos-sdk";
import type { WorkflowOutcome } from "./outcome.ts";

/** `outcome` is set once the workflow is no longer active. */
export type WorkflowState =
  | { readonly active: true }
  | { readonly active: false; readonly outcome: WorkflowOutcome<unknown> };

const ACTIVE: ReadonlySet<string> = new Set(["PENDING", "ENQUEUED", "DELAYED"]);

export function toWorkflowState(status: WorkflowStatus | null | undefined): WorkflowState | undefined {
  if (!status) return undefined;
  if (ACTIVE.has(status.status)) return { active: true };
  // Outputs are written by our workflow bodies only, which return outcomes.
  if (status.status === "SUCCESS") return { active: false, outcome: status.output as WorkflowOutcome<unknown> };
  // Our workflow bodies never throw, so DBOS ended this workflow itself and it will not continue.
  const message = `DBOS ended the workflow ${status.workflowID} with ${status.status}`;
  return { active: false, outcome: { kind: "threw", error: { message } } };
}
