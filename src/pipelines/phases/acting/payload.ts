import type { Finding } from "../../../core/authoring/finding.ts";
import { planPath } from "../artifacts.ts";
import type { Context } from "../iteration.ts";
import type { Choice } from "../planning/clarification.ts";
import type { Phase } from "../planning/plan.ts";
import { phaseFor, purposeOf } from "../planning/plan-excerpts.ts";
import { risksOf } from "../planning/risks.ts";
import { executorOf, isOnRoster } from "../roles.ts";
import { type Agent, type Delegation, delegation, isAgent } from "./delegations.ts";

/** What a phase's executor is to do this time. */
export type PhaseBrief = {
  readonly phase: Phase;
  /** A person said yes to its risks. */
  readonly confirmed: boolean;
  /** What must be settled this time: nothing but this is revised. */
  readonly revision: readonly Finding[];
  /** Where a person has sent the whole back: what its commit would say. */
  readonly rework?: { readonly message: string };
  readonly hint?: string;
  /** What the failed checks printed. */
  readonly output?: string;
  /** Files of the try before: those that were not taken, and those that its tree starts with. */
  readonly dropped?: readonly string[];
  readonly kept?: readonly string[];
  /** What is written at the same time and not in its tree. */
  readonly beside?: readonly string[];
};

type PayloadInput = PhaseBrief & {
  readonly spent: readonly unknown[];
  readonly choices: readonly Choice[];
  readonly standing: { readonly decisions: readonly Choice[]; readonly delivered: readonly unknown[] };
  /** Without what an earlier, longer payload was refused for. */
  readonly lean: boolean;
};

/** What the executor of a phase is told. Nobody is guessed: an executor off the roster is a problem of the payload. */
export function payloadFor(context: Context, told: PayloadInput): Delegation {
  const { phase } = told;
  const name = (phase.executor_agent ?? "").replace(/-subagent$/, "");
  if (!isOnRoster(name) || !isAgent(name)) {
    return { payload: {}, problems: [`executor_agent "${phase.executor_agent ?? ""}" is not on the roster`] };
  }
  const path = planPath(context.task);
  const brief = {
    scope: told.rework ? SENT_BACK : `phase ${phase.phase_id} and nothing else`,
    context_references: [path],
  };
  const fields = executorOf(name)
    ? { ...workFields(context, told), ...ownFields(name, phase) }
    : readFields(name, phase);
  return delegation(context, name, { ...brief, ...fields });
}

/** A person speaks of the whole: the files of all phases are open to who settles it. */
const SENT_BACK = "what the person sent back, in the files that the plan names";

const filesOf = ({ files }: Phase): readonly string[] => files.map(({ path }) => path);

/**
 * The active phase, what is unresolved, what was decided and what must not happen go along always; everything else
 * only while there is room for it.
 * @rule P-73 (policy) A payload that was too long is sent again with the essentials alone; after three such refusals in
 *   a row a person decides.
 * @rule P-76 (policy) A retry after a passing failure sends the same thing, a fixable one adds why, and the planner
 *   sees the failed phase alone.
 */
function workFields(context: Context, told: PayloadInput): Readonly<Record<string, unknown>> {
  const { phase, revision, rework, hint, output, choices, standing, lean, dropped = [], kept = [], beside = [] } = told;
  const needed = {
    task_id: context.task,
    phase_id: phase.phase_id,
    task_definition: phaseFor(phase),
    ...(revision.length > 0 && { findings: revision }),
    ...(rework && { commit_message: rework.message }),
    ...(dropped.length > 0 && { dropped_files: dropped }),
    ...(beside.length > 0 && { beside }),
    ...(choices.length > 0 && { choices }),
    ...(standing.decisions.length > 0 && { decisions: standing.decisions }),
    safety: safetyOf(context, told),
  };
  if (lean) return needed;
  const { delivered } = standing;
  const background = { ...(delivered.length > 0 && { delivered }), ...(output === undefined ? {} : { output }) };
  return {
    ...needed,
    ...(hint === undefined ? {} : { fix_hint: hint }),
    ...(kept.length > 0 && { already_there: kept }),
    ...(told.spent.length > 0 ? { retry_attempt: told.spent.length } : {}),
    ...(Object.keys(background).length > 0 && { background }),
  };
}

function safetyOf({ policy }: Context, { phase, confirmed, rework }: PhaseBrief): readonly string[] {
  const risks = risksOf(phase, policy);
  return [
    `change only the files ${rework ? "that the plan names" : "of this phase"}; everything else is dropped`,
    risks.length > 0 && confirmed
      ? `a person confirmed: ${risks.join(", ")}; nothing else that cannot be taken back`
      : "nothing destructive or irreversible",
    "no commit, branch, push or history rewrite",
  ];
}

function ownFields(name: Agent, phase: Phase): Readonly<Record<string, unknown>> {
  if (name === "PlatformEngineer") return { environment: phase.production ? "production" : "development" };
  if (name !== "TechnicalWriter") return {};
  return { task_type: phase.files.some(({ action }) => action === "create") ? "documentation" : "update" };
}

function readFields(name: Agent, phase: Phase): Readonly<Record<string, unknown>> {
  const { phase_id, objective } = phase;
  if (name === "CodeMapper") return { phase_id, scope_description: objective };
  if (name === "Researcher") return { phase_id, research_query: objective };
  return { phase_id, changed_files: filesOf(phase), review_scope: "phase", phase_scope: purposeOf(phase) };
}
