import type { WorkflowStatus } from "@dbos-inc/dbos-sdk";
import type { Outcome } from "./outcome.ts";

/** `outcome` is there once it is no longer active. */
export type WorkflowState = { readonly active: true } | { readonly active: false; readonly outcome: Outcome<unknown> };

const ACTIVE: ReadonlySet<string> = new Set(["PENDING", "ENQUEUED", "DELAYED"]);

export function stateOf(status: WorkflowStatus | null | undefined): WorkflowState | undefined {
  if (!status) return undefined;
  if (ACTIVE.has(status.status)) return { active: true };
  // Only our bodies write outputs, and outcomes are all they return.
  if (status.status === "SUCCESS") return { active: false, outcome: status.output as Outcome<unknown> };
  // Our bodies never throw: this is DBOS's own, and nothing will come of it any more.
  const message = `DBOS ended the workflow ${status.workflowID} with ${status.status}`;
  return { active: false, outcome: { kind: "threw", error: { message } } };
}
