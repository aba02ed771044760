import type { Finding } from "../../../core/authoring/finding.ts";
import { getPlanPath } from "../artifacts.ts";
import type { SettledChoice } from "../planning/clarification.ts";
import type { Phase } from "../planning/plan.ts";
import { toExecutorView, toPhasePurpose } from "../planning/plan-excerpts.ts";
import { listRisks } from "../planning/risks.ts";
import { findExecutor, isOnRoster } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";
import { type AgentName, buildDelegation, type Delegation, isAgentName } from "./delegations.ts";

/** The work of a phase's executor in this round. */
export type PhaseBrief = {
  readonly phase: Phase;
  /** True if a person approved its risks. */
  readonly confirmed: boolean;
  /** Findings that this round must fix; nothing else is revised. */
  readonly revision: readonly Finding[];
  /** The message that the commit would have, if a person sent the whole work back. */
  readonly rework?: { readonly message: string };
  readonly hint?: string;
  /** Output of the failed checks. */
  readonly output?: string;
  /** Files of the previous attempt: the discarded ones, and those already in the tree. */
  readonly dropped?: readonly string[];
  readonly kept?: readonly string[];
  /** Work that is being written in parallel and is not in this tree. */
  readonly beside?: readonly string[];
};

type PayloadInput = PhaseBrief & {
  readonly spent: readonly unknown[];
  readonly choices: readonly SettledChoice[];
  readonly standing: { readonly decisions: readonly SettledChoice[]; readonly delivered: readonly unknown[] };
  /** True to leave out what made an earlier payload too long. */
  readonly lean: boolean;
};

/**
 * Builds the payload for a phase's executor. An executor that is not on the roster is a problem of the payload; none is
 * inferred.
 */
export function buildPayload(context: PhasesContext, input: PayloadInput): Delegation {
  const { phase } = input;
  const name = (phase.executor_agent ?? "").replace(/-subagent$/, "");
  if (!isOnRoster(name) || !isAgentName(name)) {
    return { payload: {}, problems: [`executor_agent "${phase.executor_agent ?? ""}" is not on the roster`] };
  }
  const path = getPlanPath(context.task);
  const brief = {
    scope: input.rework ? SENT_BACK : `phase ${phase.phase_id} and nothing else`,
    context_references: [path],
  };
  const fields = findExecutor(name)
    ? { ...buildExecutorFields(context, input), ...getAgentFields(name, phase) }
    : buildReaderFields(name, phase);
  return buildDelegation(context, name, { ...brief, ...fields });
}

/** A person's comment is about the whole work, so the executor may change the files of all phases. */
const SENT_BACK = "what the person sent back, in the files that the plan names";

const listPlannedPaths = ({ files }: Phase): readonly string[] => files.map(({ path }) => path);

/**
 * Always includes the active phase, unresolved findings, decisions and safety constraints; the rest only if there is
 * room.
 * @rule P-73 (policy) A payload refused for context length is rebuilt from the essentials alone; after more than three
 *   such refusals in a row, a person decides.
 * @rule P-76 (policy) A transient retry has the identical scope, a fixable retry adds the failure reason, and the
 *   planner gets only the failed phase and its evidence.
 */
function buildExecutorFields(context: PhasesContext, input: PayloadInput): Readonly<Record<string, unknown>> {
  const {
    phase,
    revision,
    rework,
    hint,
    output,
    choices,
    standing,
    lean,
    dropped = [],
    kept = [],
    beside = [],
  } = input;
  const needed = {
    task_id: context.task,
    phase_id: phase.phase_id,
    task_definition: toExecutorView(phase),
    ...(revision.length > 0 && { findings: revision }),
    ...(rework && { commit_message: rework.message }),
    ...(dropped.length > 0 && { dropped_files: dropped }),
    ...(beside.length > 0 && { beside }),
    ...(choices.length > 0 && { choices }),
    ...(standing.decisions.length > 0 && { decisions: standing.decisions }),
    safety: listSafetyRules(context, input),
  };
  if (lean) return needed;
  const { delivered } = standing;
  const background = { ...(delivered.length > 0 && { delivered }), ...(output === undefined ? {} : { output }) };
  return {
    ...needed,
    ...(hint === undefined ? {} : { fix_hint: hint }),
    ...(kept.length > 0 && { already_there: kept }),
    ...(input.spent.length > 0 ? { retry_attempt: input.spent.length } : {}),
    ...(Object.keys(background).length > 0 && { background }),
  };
}

function listSafetyRules({ policy }: PhasesContext, { phase, confirmed, rework }: PhaseBrief): readonly string[] {
  const risks = listRisks(phase, policy);
  return [
    `change only the files ${rework ? "that the plan names" : "of this phase"}; other changes are discarded`,
    risks.length > 0 && confirmed
      ? `a person confirmed: ${risks.join(", ")}; nothing else irreversible`
      : "nothing destructive or irreversible",
    "no commit, branch, push or history rewrite",
  ];
}

function getAgentFields(name: AgentName, phase: Phase): Readonly<Record<string, unknown>> {
  if (name === "PlatformEngineer") return { environment: phase.production ? "production" : "development" };
  if (name !== "TechnicalWriter") return {};
  return { task_type: phase.files.some(({ action }) => action === "create") ? "documentation" : "update" };
}

function buildReaderFields(name: AgentName, phase: Phase): Readonly<Record<string, unknown>> {
  const { phase_id, objective } = phase;
  if (name === "CodeMapper") return { phase_id, scope_description: objective };
  if (name === "Researcher") return { phase_id, research_query: objective };
  return {
    phase_id,
    changed_files: listPlannedPaths(phase),
    review_scope: "phase",
    phase_scope: toPhasePurpose(phase),
  };
}
