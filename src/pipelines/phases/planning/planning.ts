import type { Decision } from "../../core/decision.ts";
import type { Verbs } from "../../core/verbs.ts";
import { olderPlanPath, planPath, planText } from "./artifacts.ts";
import { type Context, inIteration } from "./context.ts";
import { delegate } from "./delegations.ts";
import { decide } from "./events.ts";
import { Plan } from "./plan.ts";
import { PLAN, READY, tierOf } from "./plan-rules.ts";
import type { Research } from "./research.ts";
import { reviewTriggers } from "./review-scope.ts";
import { planner } from "./roles.ts";

const MOST_VERSIONS = 12;
/** So many versions in a row that are not valid, and a person says whether it goes on. */
const PATIENCE = 3;

/** A version of the plan, and where it is found once another has taken its place. */
export type Version = {
  readonly plan: Plan;
  readonly path: string;
  /** It came from that file, so nobody need write it there. */
  readonly filed?: true;
  /** A person has approved it, not the mode that the run is in. */
  readonly approved?: true;
};

export type Wish = {
  readonly request: string;
  readonly research: Research;
  readonly findings?: readonly unknown[] | undefined;
  readonly note?: string | undefined;
  readonly revises?: Version | undefined;
  /** A plan that is there already: judged like any other, written by nobody here. */
  readonly given?: Plan | undefined;
  /** The file that it came from. */
  readonly file?: string | undefined;
};

/** The plan gate with its pause: nothing is built before a person has said yes. */
export async function approvedPlan(verbs: Verbs<unknown>, context: Context, wish: Wish): Promise<Version> {
  const { phase, loop, end } = verbs;
  let asked = wish;
  let invalid = 0;
  const { version, ended, rounds } = await loop({ max: MOST_VERSIONS }, async () => {
    phase("PLANNING");
    const draft = await drafted(verbs, context, { ...asked, asks: true });
    if ("version" in draft) {
      invalid = 0;
      const answer = await approval(verbs, context, { ...draft, research: wish.research });
      asked = { ...wish, given: undefined, findings: [], note: answer.note, revises: draft.version };
      return { version: { ...draft.version, ...approvedBy(answer) }, decision: answer.decision };
    }
    invalid += 1;
    asked = { ...asked, given: undefined, findings: [...(wish.findings ?? []), ...draft.findings] };
    if (draft.refused && invalid % PATIENCE !== 0) return { version: undefined, decision: draft.refused };
    const answer = await planAgain(verbs, draft);
    asked = { ...asked, note: answer.note };
    return { version: undefined, decision: answer.decision };
  });
  if (ended === "passed" && version) return version;
  return end({ status: "error", reason: `no plan was approved in ${rounds} versions` });
}

/** Where nobody was asked, nobody has approved. */
export const approvedBy = ({ by }: { readonly by: string }): { readonly approved?: true } =>
  by === "automatic" ? {} : { approved: true };

/** A valid plan in the place of one that the reviewers sent back. */
export async function revisedPlan(verbs: Verbs<unknown>, context: Context, wish: Wish): Promise<Version> {
  let asked = wish;
  for (let tried = 1; ; tried += 1) {
    const draft = await verbs.within(`version-${tried}`, async () => {
      verbs.phase("PLANNING");
      return drafted(verbs, context, { ...asked, asks: false });
    });
    if ("version" in draft) return draft.version;
    asked = { ...asked, findings: [...(wish.findings ?? []), ...draft.findings] };
    if (draft.refused && tried % PATIENCE !== 0) continue;
    const { note } = await verbs.within(`again-${tried}`, () => planAgain(verbs, draft));
    asked = { ...asked, note };
  }
}

type Draft = { readonly version: Version; readonly decision: Decision } | Refused;
type Refused = {
  readonly why: string;
  readonly findings: readonly unknown[];
  /** The gate's own decision, where the planner can repair the plan by itself. */
  readonly refused?: Decision;
};

/** One version through the plan gate. */
async function drafted(verbs: Verbs<unknown>, context: Context, wish: Wish & { asks: boolean }): Promise<Draft> {
  const answer = wish.given
    ? { ok: true as const, value: wish.given }
    : await delegate(verbs, context, { role: planner, brief: briefOf(context, wish) });
  if (!answer.ok) return { why: `The planner cannot be heard: ${answer.failure.message}`, findings: [] };
  const plan = { ...Plan.parse(answer.value), ...(wish.revises && { revision_of: wish.revises.path }) };
  const ready = READY.judge({ plan }).passed;
  const decision = await planGate(verbs, context, { plan, ready, asks: wish.asks });
  const { findings } = decision;
  if (!ready) return { why: `The planner answers ${plan.status}`, findings };
  if (!decision.passed) return { why: "The plan is still not valid", findings, refused: decision };
  return { version: await kept(verbs, context, { plan, wish }), decision };
}

/** The newest version is the plan; the one before it goes where `revision_of` says. */
async function kept(
  { write }: Verbs<unknown>,
  { task }: Context,
  { plan, wish }: { readonly plan: Plan; readonly wish: Wish },
): Promise<Version> {
  const { revises, given, file } = wish;
  if (revises && !revises.filed) await write(revises.path, planText(revises.plan));
  await write(planPath(task), planText(plan));
  return given && file ? { plan, path: file, filed: true } : versionOf(task, plan);
}

/** Versions are numbered by the files that they leave behind. */
export function versionOf(task: string, plan: Plan): Version {
  const before = Number(/-v(\d+)\.md$/.exec(plan.revision_of ?? "")?.[1] ?? 0);
  return { plan, path: olderPlanPath(task, before + 1) };
}

type Judged = { readonly plan: Plan; readonly ready: boolean; readonly asks: boolean };

function planGate(verbs: Verbs<unknown>, context: Context, { plan, ready, asks }: Judged): Promise<Decision> {
  const most = context.policy.max_iterations_by_tier[tierOf(plan)];
  return decide(verbs, inIteration(context, context.iteration.iteration_index, most), {
    type: "PLAN_GATE",
    rules: PLAN,
    about: { plan },
    confidence: plan.confidence,
    miss: () => (plan.status === "REPLAN_REQUIRED" || ready ? "REPLAN" : "ABSTAIN"),
    asks: ({ passed }) => (passed ? asks : !ready),
    next: {
      go: asks ? "a person approves the plan" : "the reviewers look at the revision",
      miss: ready ? "the planner repairs the plan" : "a person says whether to plan again",
    },
    extras: { safety_checks: ["destructive_action_checked", "scope_checked", "policy_checked"] },
  });
}

function briefOf({ task }: Context, { request, research, findings, note, revises }: Wish) {
  return {
    scope: research.scope.in.join("; "),
    context_references: [...new Set([...(revises ? [planPath(task)] : []), ...research.files, "."])],
    task_description: request,
    research_scope: research.scope,
    research: research.facts,
    ...(findings && findings.length > 0 && { findings }),
    ...(note && { note }),
    ...(revises && { plan: revises.plan, revision_of: revises.path }),
  };
}

type Approval = { readonly version: Version; readonly decision: Decision; readonly research: Research };

async function approval({ phase, ask, end }: Verbs<unknown>, { policy }: Context, shown: Approval) {
  const { plan } = shown.version;
  phase("WAITING_APPROVAL");
  const answer = await ask({
    title: "Approve the plan?",
    show: {
      plan,
      tier: tierOf(plan),
      review: reviewTriggers(plan, policy),
      findings: shown.decision.findings,
      unheard: shown.research.unheard,
    },
    choices: ["approve", "revise", "abort"],
    auto: "approve",
    accepts: "approve",
  });
  return answer.choice === "abort" ? end({ status: "error", reason: "the plan was refused" }) : answer;
}

/** Nobody plans against the planner's own word, or for ever: a person says whether it goes on. */
async function planAgain({ phase, ask, end }: Verbs<unknown>, { why, findings }: Refused) {
  phase("WAITING_APPROVAL");
  const choices = ["plan again", "abort"] as const;
  const answer = await ask({ title: `${why}. Plan again?`, show: findings, choices, auto: "never" });
  return answer.choice === "abort" ? end({ status: "error", reason: `no plan: ${why}` }) : answer;
}
