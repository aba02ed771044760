import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import { canonical } from "../../core/json.ts";
import { valueRule } from "../../core/rule.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { COMPLETE, PREFLECT } from "./acting-rules.ts";
import type { Context } from "./context.ts";
import type { FailureClass, Phase, Plan, Verdict } from "./contracts.ts";
import { type Executed, execute } from "./execution.ts";
import { classOf, reasonOf, routeOf } from "./failures.ts";
import { kindOf } from "./plan-rules.ts";
import { codeReviewer, planner } from "./roles.ts";

export type PhaseResult = {
  readonly phase: Phase;
  readonly passed: boolean;
  readonly after: Tree;
  readonly decision: Decision;
  readonly transient: boolean;
  readonly why?: string;
  /** A replan that reaches beyond this phase: only a person can adopt it. */
  readonly proposal?: Plan;
};

export type Task = {
  readonly phase: Phase;
  readonly plan: Plan;
  readonly tree: Tree;
  readonly approved: readonly number[];
  readonly done: readonly number[];
};

const FAILED = valueRule({
  id: "P-28",
  because: "a dispatch that did not complete is classified and routed",
  judge: ({ reason }: { reason: string }) => ({ passed: false, findings: [{ severity: "major", message: reason }] }),
});

const LOCAL = valueRule({
  id: "P-51",
  because: "while acting, a replan changes the failed phase and nothing else",
  judge: ({ proposal }: { proposal: Plan | undefined }) => ({ passed: proposal === undefined }),
});

/** One phase until it is complete, or until its failures have used up what the policy allows. */
export async function runPhase(verbs: Verbs<unknown>, context: Context, task: Task): Promise<PhaseResult> {
  const { phase: heading, loop, gate } = verbs;
  const { tree, approved, done } = task;
  const { trace } = context;
  const budgets = context.policy.retry_budgets;
  const failures: FailureClass[] = [];
  let phase = task.phase;
  // A revision continues on the work that was reviewed; everything else starts afresh.
  let start = tree;
  let proposal: Plan | undefined;
  const stop = () => {
    if (proposal) return "the replan changes other phases too";
    const route = routeOf(failures, budgets);
    return route.go === "escalate" ? route.why : undefined;
  };

  const result = await loop({ max: 1 + budgets.max_retries_per_phase, stop }, async ({ round, findings }) => {
    heading("ACTING");
    if (routeOf(failures, budgets).go === "replan") {
      ({ phase, proposal } = await replanned(verbs, context, { plan: task.plan, phase, findings }));
    }
    const ready = await gate(`PREFLECT_GATE phase-${phase.phase_id}`, [...PREFLECT, LOCAL], {
      phase,
      approved,
      done,
      proposal,
      trace_id: trace,
    });
    if (!ready.passed) {
      failures.push("escalate");
      return { after: tree, decision: ready };
    }
    const work = await execute(verbs, context, { phase, tree: start, findings, retry: round - 1 });
    const failure = classOf(work);
    if (failure || !work.ok) {
      failures.push(failure ?? "escalate");
      return { after: tree, decision: await gate("dispatch", [FAILED], { reason: reasonOf(work), failure }) };
    }
    const decision = await judge(verbs, context, { phase, tree, work: work.value });
    if (!decision.passed) failures.push("fixable");
    start = work.value.after;
    return { after: start, decision };
  });

  const { after, decision, ended, why = "its retries are used up" } = result;
  const transient = failures.includes("transient");
  if (ended === "passed") return { phase, passed: true, after, decision, transient };
  return { phase, passed: false, after, decision, transient, why, ...(proposal && { proposal }) };
}

type Failed = { readonly plan: Plan; readonly phase: Phase; readonly findings: readonly Finding[] };

async function replanned({ agent }: Verbs<unknown>, { trace }: Context, { plan, phase, findings }: Failed) {
  const replan = await agent(planner, { mode: "replan", failed_phase: phase, findings, trace_id: trace });
  const local = onlyChange(plan, replan, phase.phase_id);
  return { phase: local ?? phase, proposal: local ? undefined : replan };
}

/** Build gate and code review of one finished phase. */
async function judge(
  verbs: Verbs<unknown>,
  { trace }: Context,
  { phase, tree, work }: { phase: Phase; tree: Tree; work: Executed },
): Promise<Decision> {
  const { check, gate } = verbs;
  const kind = kindOf(phase);
  const task = `phase-${phase.phase_id}`;
  const evidence = kind === "code" ? await check(work.after, { baseline: tree, task }) : undefined;
  verbs.phase("REVIEWING");
  const verdict = kind === "read-only" ? undefined : await reviewed(verbs, { phase, work, evidence, trace });
  const about = { kind, report: work, evidence, verdict, tree: work.after.tree, trace_id: trace };
  return gate(`PHASE_REVIEW_GATE ${task}`, COMPLETE, about);
}

type Subject = { readonly phase: Phase; readonly work: Executed; readonly evidence: unknown; readonly trace: string };

/** An abstention, or a refusal without a confirmed issue, is no review: asked once more, then a person. */
async function reviewed(verbs: Verbs<unknown>, subject: Subject): Promise<Verdict | undefined> {
  const { phase, work, evidence, trace } = subject;
  const input = {
    phase_id: phase.phase_id,
    changed_files: work.changed,
    review_scope: "phase",
    phase,
    report: work.summary,
    evidence,
    trace_id: trace,
  };
  for (const name of ["review", "second-review"]) {
    const answer = await verbs.within(name, () => verbs.attempt(codeReviewer, input, { in: work.after }));
    if (answer.ok && isReview(answer.value)) return answer.value;
  }
  const title = `Phase ${phase.phase_id} could not be reviewed. Accept it unreviewed?`;
  const { choice } = await verbs.ask({ title, show: input, choices: ["accept", "refuse"], auto: "never" });
  return choice === "accept"
    ? { status: "APPROVED", confidence: 1, issues: [], validated_blocking_issues: [] }
    : undefined;
}

const isReview = ({ status, validated_blocking_issues }: Verdict): boolean =>
  status === "APPROVED" || status === "NEEDS_REVISION" || (status === "FAILED" && validated_blocking_issues.length > 0);

/** The phase as the replan has it, if the replan leaves every other phase alone. */
export function onlyChange(before: Plan, after: Pick<Plan, "phases">, id: number): Phase | undefined {
  const others = ({ phases }: Pick<Plan, "phases">) => canonical(phases.filter((phase) => phase.phase_id !== id));
  const changed = after.phases.find((phase) => phase.phase_id === id);
  const same = others(before) === others(after) || after.phases.length === 1;
  return same ? changed : undefined;
}
