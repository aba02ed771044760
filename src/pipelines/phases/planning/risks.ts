import type { Policy } from "../policy.ts";
import { type ApprovalAction, actionsOfFiles, actionsTyped, actionsWorded } from "./actions.ts";
import { type Phase, proseOf } from "./plan.ts";
import { writesOf } from "./plan-rules.ts";

type RequiredActions = Pick<Policy, "approval_required_actions">;

/** Reasons why a phase needs a person's approval in every mode: declared ones, and those that the engine detects. */
export function risksOf(phase: Phase, policy: RequiredActions): readonly string[] {
  const detected = [...actionsTyped(proseOf(phase)), ...actionsOfFiles(writesOf(phase))];
  return [
    ...(phase.destructive ? ["destructive"] : []),
    ...(phase.production ? ["touches production"] : []),
    ...selectRequired([...phase.approval_actions, ...detected], policy),
  ];
}

/** The same for a text without declarations. */
export const actionsNamedIn = (text: string, policy: RequiredActions): readonly ApprovalAction[] =>
  selectRequired([...actionsTyped(text), ...actionsWorded(text)], policy);

const selectRequired = (actions: readonly ApprovalAction[], { approval_required_actions }: RequiredActions) => [
  ...new Set(actions.filter((action) => approval_required_actions.includes(action))),
];
