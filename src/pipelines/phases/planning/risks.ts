import type { Policy } from "../policy.ts";
import { type ApprovalAction, detectFileActions, detectTypedActions, detectWordedActions } from "./actions.ts";
import { joinProse, type Phase } from "./plan.ts";
import { listWrites } from "./plan-rules.ts";

type RequiredActions = Pick<Policy, "approval_required_actions">;

/** Reasons why a phase needs a person's approval in every mode: declared ones, and those that the engine detects. */
export function listRisks(phase: Phase, policy: RequiredActions): readonly string[] {
  const detected = [...detectTypedActions(joinProse(phase)), ...detectFileActions(listWrites(phase))];
  return [
    ...(phase.destructive ? ["destructive"] : []),
    ...(phase.production ? ["touches production"] : []),
    ...selectRequired([...phase.approval_actions, ...detected], policy),
  ];
}

/** The same for a text without declarations. */
export const listNamedActions = (text: string, policy: RequiredActions): readonly ApprovalAction[] =>
  selectRequired([...detectTypedActions(text), ...detectWordedActions(text)], policy);

const selectRequired = (actions: readonly ApprovalAction[], { approval_required_actions }: RequiredActions) => [
  ...new Set(actions.filter((action) => approval_required_actions.includes(action))),
];
