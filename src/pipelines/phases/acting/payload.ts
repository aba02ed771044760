import type { Finding } from "../../core/finding.ts";
import { planPath } from "./artifacts.ts";
import type { Choice } from "./clarification.ts";
import type { Context } from "./context.ts";
import { type Agent, type Delegation, delegation, isAgent } from "./delegations.ts";
import type { Phase } from "./plan.ts";
import { risksOf } from "./risks.ts";
import { executorOf, isOnRoster } from "./roles.ts";

type Told = {
  readonly phase: Phase;
  readonly confirmed: boolean;
  readonly revision: readonly Finding[];
  readonly hint?: string;
  readonly output?: string;
  readonly spent: readonly unknown[];
  readonly choices: readonly Choice[];
  readonly standing: { readonly decisions: readonly Choice[]; readonly delivered: readonly unknown[] };
  /** Without what an earlier, longer payload was refused for. */
  readonly lean: boolean;
};

/** What the executor of a phase is told. Nobody is guessed: an executor off the roster is a problem of the payload. */
export function payloadFor(context: Context, told: Told): Delegation {
  const { phase } = told;
  const name = (phase.executor_agent ?? "").replace(/-subagent$/, "");
  if (!isOnRoster(name) || !isAgent(name)) {
    return { payload: {}, problems: [`executor_agent "${phase.executor_agent ?? ""}" is not on the roster`] };
  }
  const path = planPath(context.task);
  const brief = { scope: phase.objective, context_references: told.lean ? [path] : [path, ...filesOf(phase)] };
  const fields = executorOf(name)
    ? { ...workFields(context, told), ...ownFields(name, phase) }
    : readFields(name, phase);
  return delegation(context, name, { ...brief, ...fields });
}

const filesOf = ({ files }: Phase): readonly string[] => files.map(({ path }) => path);

/**
 * The active phase, what is unresolved, what was decided and what must not happen go along always; everything else
 * only while there is room for it.
 */
function workFields(context: Context, told: Told): Readonly<Record<string, unknown>> {
  const { phase, revision, hint, output, choices, standing, lean } = told;
  const needed = {
    task_id: context.task,
    phase_id: phase.phase_id,
    task_definition: phase,
    findings: revision,
    choices,
    decisions: standing.decisions,
    safety: safetyOf(phase, context, told.confirmed),
  };
  if (lean) return needed;
  return {
    ...needed,
    ...(hint === undefined ? {} : { fix_hint: hint }),
    ...(told.spent.length > 0 ? { retry_attempt: told.spent.length } : {}),
    background: { delivered: standing.delivered, ...(output === undefined ? {} : { output }) },
  };
}

function safetyOf(phase: Phase, { policy }: Context, confirmed: boolean): readonly string[] {
  const risks = risksOf(phase, policy);
  return [
    "change only the files of this phase; everything else is dropped",
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
  return { phase_id, changed_files: filesOf(phase), review_scope: "phase", phase_scope: phase };
}
