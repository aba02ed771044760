import type { ApprovalAction, Phase } from "./plan.ts";
import type { Policy } from "./policy.ts";

/** How a plan names each action in words; its own identifier counts too. */
const NAMED: Readonly<Record<ApprovalAction, RegExp>> = {
  destructive_file_delete:
    /\b(?:delet|eras|wip|purg|remov)\w*\s+(?:\w+\s+){0,3}?(?:files?|folders?|director(?:y|ies)|data)\b/gi,
  bulk_contract_rewrite:
    /\b(?:bulk|all|every)\b[^.]{0,30}\bcontracts?\b[^.]{0,30}\brewrit\w*|\brewrit\w*\s+(?:all|every)\b[^.]{0,30}\b(?:contract|schema)s?\b|\bbulk\s+(?:contract|schema)\b/gi,
  git_force_push: /\bforce[- ]?push\w*|\bpush\s+(?:\S+\s+){0,2}(?:--force\S*|-f\b)/gi,
  git_reset_hard: /\breset\s+--hard\b|\bhard[- ]reset\w*/gi,
  drop_table: /\bdrop\w*\s+(?:the\s+)?(?:\w+\s+)?(?:tables?|databases?|columns?)\b/gi,
  rm_rf: /\brm\s+-(?:rf|fr|r\s+-f|f\s+-r)\b/gi,
  amend_published_commit: /\bcommit\s+--amend\b|\bamend\w*\s+(?:\w+\s+){0,3}?commits?\b/gi,
  merge_to_protected_branch: /\bmerg\w*\s+(?:\w+\s+){0,3}?(?:in)?to\s+(?:the\s+)?(?:protected|main|master|release)\b/gi,
  push_to_shared_infrastructure:
    /\b(?:push|deploy|publish|roll)\w*\s+(?:\w+\s+){0,3}?(?:to|on|in)\s+(?:the\s+)?(?:shared|production|staging|live)\b/gi,
};

const BROAD =
  /\birreversibl\w*|\bcannot be undone\b|\bdata[- ]loss\b|\blos(?:e|es|ing)\s+(?:\w+\s+)?data\b|\bbroad side[- ]effects?\b/gi;

/** What is denied is not planned: "never delete files" asks for nothing. */
const DENIED = /\b(?:no|not|never|without|avoid\w*|prevent\w*|nor|nothing)\b[^.;]{0,24}$|n't\b[^.;]{0,24}$/i;

/** Why a person has to say yes to a phase, in any mode; empty when nobody has to. */
export function risksOf(phase: Phase, policy: Pick<Policy, "approval_required_actions">): readonly string[] {
  const text = [phase.title, phase.objective, ...phase.steps, ...phase.acceptance_criteria].join(".\n");
  const declared = phase.approval_actions.filter((action) => policy.approval_required_actions.includes(action));
  const actions = [...new Set([...declared, ...actionsNamedIn(text, policy)])];
  return [
    ...(phase.destructive ? ["declared destructive"] : []),
    ...(phase.production ? ["touches production"] : []),
    ...actions,
    ...(names(text, BROAD) ? ["possible data loss or broad side effects"] : []),
  ];
}

export function actionsNamedIn(
  text: string,
  { approval_required_actions }: Pick<Policy, "approval_required_actions">,
): readonly ApprovalAction[] {
  return approval_required_actions.filter((action) => text.includes(action) || names(text, NAMED[action]));
}

const names = (text: string, pattern: RegExp): boolean =>
  [...text.matchAll(pattern)].some((match) => !DENIED.test(text.slice(0, match.index)));
