import type { Decision } from "../../core/decision.ts";
import type { ValueRule } from "../../core/rule.ts";
import type { Tree } from "../../core/tree.ts";
import type { Evidence, Verbs } from "../../core/verbs.ts";
import { BUILT, CHECKLIST, COMPLETE, type Finished, REVIEWED, reds } from "./acting-rules.ts";
import { planPath } from "./artifacts.ts";
import { type Heard, type Reviewed, review } from "./code-review.ts";
import type { Context } from "./context.ts";
import { decide } from "./events.ts";
import type { Executed } from "./execution.ts";
import { type Fault, routeOf } from "./failures.ts";
import type { State } from "./gate-event.ts";
import type { Phase } from "./plan.ts";
import { kindOf, writesOf } from "./plan-rules.ts";
import type { FailureClass } from "./reply.ts";
import { markTodo, todoOf } from "./todo.ts";

type Subject = {
  readonly phase: Phase;
  /** What the phase started from, and is compared with. */
  readonly base: Tree;
  readonly work: Executed;
  readonly spent: readonly FailureClass[];
};

export type Judged = {
  readonly decision: Decision;
  readonly changed: readonly string[];
  readonly verdict?: Heard;
  readonly faults: readonly Fault[];
  /** What the red checks printed. */
  readonly output?: string;
};

/** Build gate, then code review, then the todo item: what is red is not reviewed, what is blocked is not marked. */
export async function judge(verbs: Verbs<unknown>, context: Context, subject: Subject): Promise<Judged> {
  const { phase, base, work } = subject;
  const kind = kindOf(phase);
  const changes = kind === "read-only" ? [] : await verbs.see("changes", { from: base, to: work.after });
  const changed = changes.map((change) => change.path);
  const task = `phase-${phase.phase_id}`;
  const declared = writesOf(phase);
  const checks = kind === "code" || changed.length > 0;
  const evidence = checks ? await verbs.check(work.after, { baseline: base, task, declared }) : undefined;
  const due = kind !== "read-only" && declared.length > 0;
  const acceptUnbuilt = context.policy.build_gate.accept_not_available;
  const seen: Finished = { kind, work: { due, changed, outside: work.outside }, evidence, todo: false, acceptUnbuilt };
  const gate = { phase, tree: work.after.tree, spent: subject.spent };
  if (!holds(BUILT, seen)) {
    const decision = await phaseGate(verbs, context, { ...gate, rules: BUILT, about: seen, state: "ACTING" });
    return { decision, changed, faults: [faultOf(decision, "build gate")], ...outputOf(evidence) };
  }
  verbs.phase("REVIEWING");
  const { verdict, faults } = await reviewed(verbs, context, { ...subject, changed, evidence });
  const about = { ...seen, verdict };
  const todo = holds([...BUILT, REVIEWED], about);
  if (todo) for (const item of todoOf({ phases: [phase] }, [phase.phase_id])) await markTodo(verbs, item);
  const confidence = kind === "docs" ? verdict?.confidence : undefined;
  const whole = {
    ...gate,
    spent: [...subject.spent, ...faults.map((fault) => fault.class)],
    rules: COMPLETE,
    about: { ...about, todo },
    ...(confidence !== undefined && { confidence }),
  };
  const decision = await phaseGate(verbs, context, whole);
  const own = decision.passed ? [] : [faultOf(decision, "code review")];
  return { decision, changed, faults: [...faults, ...own], ...(verdict && { verdict }) };
}

type Shown = Subject & { readonly changed: readonly string[]; readonly evidence: Evidence | undefined };

/** The reviewer gets what the engine saw change, the phase's scope and the executor's report. */
async function reviewed(verbs: Verbs<unknown>, context: Context, shown: Shown): Promise<Reviewed> {
  const { phase, base, work, changed, evidence, spent } = shown;
  if (!CHECKLIST[kindOf(phase)].includes("review")) return { verdict: undefined, faults: [] };
  const diff = await verbs.see("diff", { from: base, to: work.after });
  const { after: _, retried: __, outside: ___, ...report } = work;
  const brief = {
    scope: phase.objective,
    context_references: [planPath(context.task), ...changed],
    phase_id: phase.phase_id,
    changed_files: changed,
    review_scope: "phase",
    phase_scope: phase,
    execution_report: report,
    ...(evidence && { evidence }),
    diff,
  };
  const task = `phase-${phase.phase_id}`;
  return review(verbs, context, { name: `Phase ${phase.phase_id}`, tree: work.after, brief, spent, task });
}

type PhaseGate = {
  readonly phase: Phase;
  readonly tree?: string;
  readonly rules: readonly ValueRule<Finished>[];
  readonly about: Finished;
  readonly state?: State;
  readonly confidence?: number;
  /** What the phase failed with so far. */
  readonly spent: readonly FailureClass[];
  /** The failure is booked already: the miss adds none. */
  readonly booked?: boolean;
};

/** The gate after a phase; whatever it judges, one event. */
export function phaseGate(verbs: Verbs<unknown>, context: Context, gate: PhaseGate): Promise<Decision> {
  const { phase, tree, rules, about, state, confidence, spent, booked } = gate;
  const asks = (decision: Decision) => {
    const all = booked ? spent : [...spent, faultOf(decision, "").class];
    return !decision.passed && routeOf(all, context.policy).go === "escalate";
  };
  return decide(verbs, context, {
    type: "PHASE_REVIEW_GATE",
    phase: phase.phase_id,
    rules,
    about: { ...about, ...(tree === undefined ? {} : { tree }) },
    ...(state && { state }),
    ...(confidence === undefined ? {} : { confidence }),
    miss: (decision) => (asks(decision) ? "ABSTAIN" : "REPLAN"),
    asks,
    next: { go: "the phase is complete", miss: "the failure is classified and routed" },
    extras: { safety_checks: ["scope_checked", "todo_verified"] },
  });
}

/** What nobody can repair in the files is for a person. */
function faultOf({ findings }: Pick<Decision, "findings">, at: string): Fault {
  const stuck = findings.some(({ by }) => by === "unavailable" || by === "unreviewed");
  const serious = findings.filter(({ severity }) => severity !== "minor");
  const reason = serious.map((finding) => finding.message).join("; ");
  return { class: stuck ? "escalate" : "fixable", at, reason };
}

const holds = (rules: readonly ValueRule<Finished>[], about: Finished): boolean =>
  rules.every((rule) => rule.judge(about).passed);

function outputOf(evidence: Evidence | undefined): { readonly output?: string } {
  const red = new Set(reds(evidence?.checks ?? []).map(({ name }) => name));
  const lines = evidence?.checks
    .filter(({ name }) => red.has(name))
    .map(({ name, because = name, snippet }) => `${because}:\n${snippet}`);
  return lines && lines.length > 0 ? { output: lines.join("\n\n") } : {};
}
