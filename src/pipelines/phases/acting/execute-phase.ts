import type { Decision } from "../../../core/authoring/decision.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { DispatchOptions, Verbs } from "../../../core/authoring/verbs.ts";
import type { Failure, Outcome } from "../../../core/failure/failure.ts";
import type { Json } from "../../../core/text/json.ts";
import { NOTES_FILE } from "../closing/notes.ts";
import { FACTS_FILE } from "../closing/repo-memory.ts";
import type { CodeVerdict } from "../contracts.ts";
import { decideGate } from "../events.ts";
import { askClarification, getClarificationRequest, type SettledChoice } from "../planning/clarification.ts";
import type { Phase } from "../planning/plan.ts";
import { listWrites } from "../planning/plan-rules.ts";
import { listRisks } from "../planning/risks.ts";
import { POLICY_FILE } from "../policy.ts";
import { hasOpenCritical, listBlockingIssues } from "../review/code-review.ts";
import { codeMapper, codeReviewer, findExecutor, researcher } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";
import type { Todo } from "../todo.ts";
import { classifyPreflectMiss, PREFLECT_RULES } from "./acting-rules.ts";
import type { Delegation } from "./delegations.ts";
import { createRetry, type Fault, getReportFault, isContextRefusal, listDispatchFaults } from "./failures.ts";
import { buildPayload, type PhaseBrief } from "./payload.ts";
import type { FailureClass } from "./reply.ts";
import type { Report } from "./report.ts";

const MAX_QUESTIONS = 3;

/**
 * State of the run when a wave begins. All phases of the wave get the same, so that their order of completion has no
 * effect.
 */
export type WaveStart = {
  readonly complete: readonly number[];
  readonly todo: readonly Todo[];
  /** Answers to the plan's open questions. */
  readonly decisions: readonly SettledChoice[];
  /** Results of earlier phases, for the phases that build on them. */
  readonly delivered: readonly Json[];
};

export type ExecutionOrder = PhaseBrief & {
  /** The files of the phase as a person approved it. */
  readonly approved: readonly string[];
  readonly tree: Tree;
  readonly standing: WaveStart;
  /** Failures of this phase so far. */
  readonly spent: readonly FailureClass[];
};

/** An execution report, or the answer of a read-only agent converted to one. */
export type ExecutionReport = Omit<Report, "agent"> & {
  readonly after: Tree;
  readonly changed: readonly string[];
  readonly outside: readonly string[];
  readonly retried?: readonly Failure[];
};
export type ExecutionResult = {
  readonly ready: Decision;
  readonly work?: Outcome<ExecutionReport>;
  readonly faults: readonly Fault[];
};

/**
 * Dispatches a phase to its declared executor. The executor's questions go to a person and use no retry; a payload that
 * was too long is sent again with the essentials only.
 */
export async function executePhase(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  order: ExecutionOrder,
): Promise<ExecutionResult> {
  const { policy } = context;
  const choices: SettledChoice[] = [];
  const faults: Fault[] = [];
  let refusals = 0;
  for (let turn = 1; ; turn += 1) {
    const spent = [...order.spent, ...faults.map((fault) => fault.class)];
    const nextOrder = { ...order, spent, choices, lean: refusals > 0 };
    const sent = await verbs.within(`dispatch-${turn}`, () => sendOnce(verbs, context, nextOrder), { repeats: true });
    faults.push(...sent.faults);
    const { ready, work } = sent;
    if (!work) return { ready, faults };
    if (!work.ok && isContextRefusal(work.failure)) {
      refusals += 1;
      if (refusals > policy.compaction.max_consecutive_failures) return { ready, work, faults: [...faults, tooLong] };
      continue;
    }
    refusals = 0;
    const request = getClarificationRequest(work);
    if (!request || choices.length === MAX_QUESTIONS)
      return { ready, work, faults: [...faults, ...getReportFault(work)] };
    choices.push(await askClarification(verbs, { phase: order.phase, request, policy }));
  }
}

const tooLong: Fault = { class: "escalate", at: "dispatch", reason: "the agent refuses even the shortest payload" };

type ExecutionRequest = ExecutionOrder & { readonly choices: readonly SettledChoice[]; readonly lean: boolean };

/** Runs PreFlect, and dispatches only if it passes. */
async function sendOnce(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  nextOrder: ExecutionRequest,
): Promise<ExecutionResult> {
  const delegation = buildPayload(context, nextOrder);
  const ready = await judgePreflect(verbs, context, { ...nextOrder, delegation });
  if (!ready.passed) return { ready, faults: [toDriftFault(ready)] };
  const options = {
    in: nextOrder.tree,
    task: `phase-${nextOrder.phase.phase_id}`,
    retry: createRetry(nextOrder.spent, context.policy),
  };
  const work = await dispatchExecutor(verbs, nextOrder.phase, { input: delegation.payload, options });
  return { ready, work, faults: listDispatchFaults(work) };
}

function judgePreflect(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  nextOrder: ExecutionRequest & { readonly delegation: Delegation },
) {
  const { phase, approved, confirmed, standing, delegation } = nextOrder;
  const { complete, todo } = standing;
  const risks = listRisks(phase, context.policy);
  return decideGate(verbs, context, {
    type: "PREFLECT_GATE",
    phase: phase.phase_id,
    rules: PREFLECT_RULES,
    about: { phase, approved, problems: delegation.problems, complete, todo, risks, confirmed },
    miss: classifyPreflectMiss,
    asks: (decision) => classifyPreflectMiss(decision) === "ABSTAIN",
    next: { go: `dispatch ${phase.executor_agent}`, miss: "nothing is dispatched" },
    extras: { safety_checks: ["scope_checked", "destructive_action_checked", "policy_checked", "todo_verified"] },
  });
}

/** Drift goes to the planner; a block or missing evidence goes to a person. */
function toDriftFault(ready: Decision): Fault {
  const replan = !ready.blocked && classifyPreflectMiss(ready) === "REPLAN";
  const reason = ready.findings.map((finding) => finding.message).join("; ");
  return { class: replan ? "needs_replan" : "escalate", at: "PreFlect", reason };
}

/** The engine's own documents and the policy file; no phase may write them. */
const PROTECTED_GLOBS = ["plans/**", ".signalbox/**", NOTES_FILE, FACTS_FILE, POLICY_FILE].map((path) => `!${path}`);

type DispatchInput = { readonly input: unknown; readonly options: DispatchOptions & { readonly in: Tree } };

async function dispatchExecutor(
  verbs: Verbs<unknown>,
  phase: Phase,
  { input, options }: DispatchInput,
): Promise<Outcome<ExecutionReport>> {
  const role = findExecutor(phase.executor_agent);
  if (role) return verbs.attempt(role, input, { ...options, writes: [...listWrites(phase), ...PROTECTED_GLOBS] });
  const reading = await dispatchReader(verbs, phase.executor_agent ?? "", { input, options });
  if (!reading.ok) return reading;
  const { retried } = reading.value;
  return {
    ok: true,
    value: {
      ...toReaderReport(reading.value),
      after: options.in,
      changed: [],
      outside: [],
      ...(retried && { retried }),
    },
  };
}

/** A read-only agent changes nothing: its phase is complete if it says so, and anything else needs a person. */
function toReaderReport({
  status,
  confidence,
  abstain,
  by: _,
  retried: __,
  ...answer
}: ReaderAnswer): Omit<Report, "agent"> {
  const complete = status === "COMPLETE" || status === "APPROVED";
  const nothing = { changes: [], ui_changes: [], docs_created: [], docs_updated: [], not_changed: [], facts: [] };
  const summary = JSON.stringify(answer);
  return { ...nothing, status: complete ? "COMPLETE" : "ABSTAIN", confidence, abstain, summary };
}

type ReaderAnswer = Pick<Report, "confidence" | "abstain"> & {
  readonly status: string;
  readonly by: string;
  readonly retried?: readonly Failure[];
};

/** A review with a confirmed serious issue or an open CRITICAL one is no approval, whatever its status. */
function rejectIfBlocking(answer: Outcome<ReaderAnswer & Pick<CodeVerdict, "issues" | "validated_blocking_issues">>) {
  if (!answer.ok || (listBlockingIssues(answer.value).length === 0 && !hasOpenCritical(answer.value))) return answer;
  return { ...answer, value: { ...answer.value, status: "NEEDS_REVISION" } };
}

async function dispatchReader(
  { attempt }: Verbs<unknown>,
  name: string,
  nextOrder: DispatchInput,
): Promise<Outcome<ReaderAnswer>> {
  if (name.startsWith(researcher.name)) return attempt(researcher, nextOrder.input, nextOrder.options);
  if (name.startsWith(codeReviewer.name))
    return rejectIfBlocking(await attempt(codeReviewer, nextOrder.input, nextOrder.options));
  return attempt(codeMapper, nextOrder.input, nextOrder.options);
}
