import type { Decision } from "../../../core/authoring/decision.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { formatFindingsSection } from "../../plan-brief.ts";
import { delegate } from "../acting/delegations.ts";
import { formatPlan, getOlderPlanPath, getPlanPath } from "../artifacts.ts";
import { decideGate } from "../events.ts";
import { listReviewTriggers } from "../review/review-scope.ts";
import { planner } from "../roles.ts";
import { type PhasesContext, withIteration } from "../run-context.ts";
import { listScopeQuestions, type SettledChoice, settleQuestions } from "./clarification.ts";
import { Plan } from "./plan.ts";
import { formatPlanBrief } from "./plan-brief.ts";
import { toPlannerView } from "./plan-excerpts.ts";
import { computeTier, PLAN_RULES, READY } from "./plan-rules.ts";
import type { Research } from "./research.ts";

const MOST_VERSIONS = 12;
/** After this many invalid versions in a row, a person decides whether to continue. */
const MOST_REFUSALS = 3;

/** A plan version, and the path that it gets when it is replaced. */
export type PlanVersion = {
  readonly plan: Plan;
  readonly path: string;
  /** The plan came from that file, so the engine does not write it. */
  readonly filed?: true;
  /** Approved by a person, not automatically. */
  readonly approved?: true;
  /** Decisions made before the approval, and the note given with it. */
  readonly decisions?: readonly SettledChoice[];
};

export type PlanRequest = {
  readonly request: string;
  readonly research: Research;
  readonly findings?: readonly unknown[] | undefined;
  readonly revises?: PlanVersion | undefined;
  /** The version that the gate refused; shown to the planner so that it can repair it. */
  readonly refused?: Plan | undefined;
  /** Decisions of people. */
  readonly decisions?: readonly SettledChoice[] | undefined;
  /** A plan from a file; judged like any other. */
  readonly given?: Plan | undefined;
  /** The file that it came from. */
  readonly file?: string | undefined;
};

/**
 * Runs the plan gate and asks for approval; nothing is implemented before a person approves.
 * @rule P-03 (code) A person approves the plan before anything is implemented; autonomous mode records `automatic`, and
 *   a revision of phases, files or risks needs a new approval.
 */
export async function getApprovedPlan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  wish: PlanRequest,
): Promise<PlanVersion> {
  const { phase, loop, end } = verbs;
  let draftRequest = wish;
  let invalid = 0;
  const { version, ended, rounds } = await loop({ max: MOST_VERSIONS }, async () => {
    phase("PLANNING");
    const draft = await draftPlan(verbs, context, { ...draftRequest, asks: true });
    if ("version" in draft) {
      invalid = 0;
      const settled = await settleScope(verbs, draft.version.plan, draftRequest.decisions ?? []);
      draftRequest = { ...wish, given: undefined, findings: [], revises: draft.version, decisions: settled.decisions };
      if (settled.otherwise) return { version: undefined, decision: { ...draft.decision, passed: false } };
      const answer = await askForApproval(verbs, context, {
        ...draft,
        research: wish.research,
        decisions: settled.decisions,
      });
      const decisions = [...settled.decisions, ...toNotedChoice(answer)];
      return { version: { ...draft.version, ...toApproval(answer), decisions }, decision: answer.decision };
    }
    invalid += 1;
    draftRequest = {
      ...draftRequest,
      given: undefined,
      findings: [...(wish.findings ?? []), ...draft.findings],
      refused: draft.plan,
    };
    if (draft.refused && invalid % MOST_REFUSALS !== 0) return { version: undefined, decision: draft.refused };
    const { decision } = await planAgain(verbs, draft);
    return { version: undefined, decision };
  });
  if (ended === "passed" && version) return version;
  return end({ status: "error", reason: `no plan was approved in ${rounds} versions` });
}

type ScopeAnswers = { readonly decisions: readonly SettledChoice[]; readonly otherwise: boolean };

/**
 * Settles questions about scope before the approval. An answer that differs from the plan's assumption requires a new
 * version.
 */
async function settleScope(verbs: Verbs<unknown>, plan: Plan, before: readonly SettledChoice[]): Promise<ScopeAnswers> {
  const open = listScopeQuestions(plan).filter(({ question }) => !before.some((known) => known.question === question));
  if (open.length === 0) return { decisions: before, otherwise: false };
  verbs.phase("WAITING_APPROVAL");
  const choices = await settleQuestions(verbs, open);
  const otherwise = choices.some(({ choice }, at) => choice !== open[at]?.recommendation);
  return { decisions: [...before, ...choices], otherwise };
}

/** A note given with an approval becomes a decision for all phases that it concerns. */
const toNotedChoice = ({
  choice,
  note,
  by,
}: {
  readonly choice: string;
  readonly note?: string;
  readonly by: string;
}) =>
  choice === "approve" && note
    ? [{ question: "Approve the plan?", choice: `approved, with this note: ${note}`, by }]
    : [];

/** An automatic answer is no approval by a person. */
export const toApproval = ({ by }: { readonly by: string }): { readonly approved?: true } =>
  by === "automatic" ? {} : { approved: true };

/** Gets a valid plan to replace one that the reviewers sent back. */
export async function revisePlan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  wish: PlanRequest,
): Promise<PlanVersion> {
  let draftRequest = wish;
  for (let tried = 1; ; tried += 1) {
    const draft = await verbs.within(
      `version-${tried}`,
      async () => {
        verbs.phase("PLANNING");
        return draftPlan(verbs, context, { ...draftRequest, asks: false });
      },
      { repeats: true },
    );
    if ("version" in draft) return { ...draft.version, decisions: wish.decisions ?? [] };
    draftRequest = { ...draftRequest, findings: [...(wish.findings ?? []), ...draft.findings], refused: draft.plan };
    if (draft.refused && tried % MOST_REFUSALS !== 0) continue;
    await verbs.within(`again-${tried}`, () => planAgain(verbs, draft), { repeats: true });
  }
}

type PlanDraft = { readonly version: PlanVersion; readonly decision: Decision } | PlanRefusal;
type PlanRefusal = {
  readonly why: string;
  readonly findings: readonly unknown[];
  /** The refused plan, if there was one to read. */
  readonly plan?: Plan;
  /** The gate's decision, if the planner can repair the plan. */
  readonly refused?: Decision;
};

/**
 * Gets one version and takes it through the plan gate.
 * @rule P-58 (policy) A plan that arrives by `plan_path` is validated, approved and reviewed like any other.
 */
async function draftPlan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  wish: PlanRequest & { asks: boolean },
): Promise<PlanDraft> {
  const answer = wish.given
    ? { ok: true as const, value: wish.given }
    : await delegate(verbs, context, { role: planner, brief: buildPlannerBrief(context, wish) });
  if (!answer.ok) return { why: `No answer from the planner: ${answer.failure.message}`, findings: [] };
  const plan = { ...Plan.parse(answer.value), ...(wish.revises && { revision_of: wish.revises.path }) };
  const ready = READY.judge({ plan }).passed;
  const decision = await planGate(verbs, context, { plan, ready, asks: wish.asks });
  const findings = decision.findings.map((finding, at) => ({ id: `G-${at + 1}`, ...finding }));
  if (!ready) return { why: `The planner answers ${plan.status}`, findings };
  if (!decision.passed) return { why: "The plan is still not valid", findings, plan, refused: decision };
  return { version: await writeVersion(verbs, context, { plan, wish }), decision };
}

/** Writes the newest version to the plan file, and the one before to the path in `revision_of`. */
async function writeVersion(
  { write }: Verbs<unknown>,
  { task, form }: PhasesContext,
  { plan, wish }: { readonly plan: Plan; readonly wish: PlanRequest },
): Promise<PlanVersion> {
  const { revises, given, file } = wish;
  if (revises && !revises.filed) await write(revises.path, formatPlan(revises.plan, form));
  await write(getPlanPath(task), formatPlan(plan, form));
  return given && file ? { plan, path: file, filed: true } : createVersion(task, plan);
}

/** Numbers a version by the files of earlier versions. */
export function createVersion(task: string, plan: Plan): PlanVersion {
  const before = Number(/-v(\d+)\.md$/.exec(plan.revision_of ?? "")?.[1] ?? 0);
  return { plan, path: getOlderPlanPath(task, before + 1) };
}

type PlanGateInput = { readonly plan: Plan; readonly ready: boolean; readonly asks: boolean };

function planGate(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { plan, ready, asks }: PlanGateInput,
): Promise<Decision> {
  const most = context.policy.max_iterations_by_tier[computeTier(plan)];
  return decideGate(verbs, withIteration(context, context.iteration.iteration_index, most), {
    type: "PLAN_GATE",
    rules: PLAN_RULES,
    about: { plan },
    confidence: plan.confidence,
    miss: () => (plan.status === "REPLAN_REQUIRED" || ready ? "REPLAN" : "ABSTAIN"),
    asks: ({ passed }) => (passed ? asks : !ready),
    next: {
      go: asks ? "a person approves the plan" : "the reviewers review the revision",
      miss: ready ? "the planner repairs the plan" : "a person decides whether to plan again",
    },
    extras: { safety_checks: ["destructive_action_checked", "scope_checked", "policy_checked"] },
  });
}

function buildPlannerBrief({ task }: PhasesContext, wish: PlanRequest) {
  const { request, research, findings, revises, refused, decisions } = wish;
  const plan = refused ?? revises?.plan;
  return {
    scope: "the whole task",
    context_references: [...(revises ? [getPlanPath(task)] : []), "."],
    task_description: request,
    research_scope: research.scope,
    ...(research.facts !== null && { research: research.facts }),
    ...(findings && findings.length > 0 && { findings }),
    ...(decisions && decisions.length > 0 && { decisions }),
    ...(plan && { plan: toPlannerView(plan) }),
  };
}

type ApprovalInput = {
  readonly version: PlanVersion;
  readonly decision: Decision;
  readonly research: Research;
  readonly decisions: readonly SettledChoice[];
};

async function askForApproval(
  { phase, ask, end }: Verbs<unknown>,
  { policy, task }: PhasesContext,
  input: ApprovalInput,
) {
  const { plan } = input.version;
  phase("WAITING_APPROVAL");
  const answer = await ask({
    title: "Approve the plan?",
    show: {
      plan,
      tier: computeTier(plan),
      review: listReviewTriggers(plan, policy),
      findings: input.decision.findings,
      unheard: input.research.unheard,
      approves: "the plan with its first wave; irreversible actions are asked separately",
      decisions: input.decisions,
    },
    brief: formatPlanBrief(plan, [
      formatFindingsSection("Gate findings", input.decision.findings),
      { title: "No answer from", lines: input.research.unheard },
      { title: "Earlier decisions", lines: input.decisions.map(({ question, choice }) => `${question} ${choice}`) },
    ]),
    announces: plan.announces ?? [],
    paths: [getPlanPath(task)],
    choices: ["approve", "revise", "abort"],
    leads: {
      approve: "the plan is reviewed if its risk requires it, then the first wave starts",
      revise: "the planner revises it with your note",
      abort: "the run ends here",
    },
    auto: "approve",
    accepts: "approve",
    revises: "revise",
  });
  return answer.choice === "abort" ? end({ status: "error", reason: "the plan was refused" }) : answer;
}

const REPLAN_LEADS = {
  "plan again": "the planner is asked once more, with your note",
  abort: "the run ends without a plan",
};

/**
 * Asks a person before planning again if the planner does not stand by its plan, or after too many invalid versions.
 */
async function planAgain({ phase, ask, end }: Verbs<unknown>, { why, findings }: PlanRefusal) {
  phase("WAITING_APPROVAL");
  const choices = ["plan again", "abort"] as const;
  const title = `${why}. Plan again?`;
  const answer = await ask({
    title,
    show: findings,
    choices,
    auto: "never",
    revises: "plan again",
    leads: REPLAN_LEADS,
  });
  return answer.choice === "abort" ? end({ status: "error", reason: `no plan: ${why}` }) : answer;
}
