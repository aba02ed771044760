import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { ValueRule } from "../../../core/authoring/rule.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence, Verbs } from "../../../core/authoring/verbs.ts";
import { getPlanPath } from "../artifacts.ts";
import { decideGate } from "../events.ts";
import type { RunPhase } from "../gate-event.ts";
import type { SettledChoice } from "../planning/clarification.ts";
import type { Phase } from "../planning/plan.ts";
import { toPhasePurpose } from "../planning/plan-excerpts.ts";
import { getPhaseKind, listWrites } from "../planning/plan-rules.ts";
import { type ReviewResult, type ReviewVerdict, reviewWork } from "../review/code-review.ts";
import { extractChecks, extractClaims } from "../review/review-brief.ts";
import type { PhasesContext } from "../run-context.ts";
import { createTodos, markTodo } from "../todo.ts";
import { BUILD_RULES, CHECKLIST, COMPLETE_RULES, type PhaseFacts, REVIEW_RULE } from "./acting-rules.ts";
import type { ExecutionReport } from "./execute-phase.ts";
import { type Fault, routeFailures } from "./failures.ts";
import { filterRedChecks } from "./phase-checks.ts";
import type { FailureClass } from "./reply.ts";

type PhaseSubject = {
  readonly phase: Phase;
  /** The tree that the phase started from and is compared with. */
  readonly base: Tree;
  readonly work: ExecutionReport;
  readonly spent: readonly FailureClass[];
  /** Verdicts of earlier rounds. */
  readonly before: readonly ReviewVerdict[];
  /** Work of other phases of the wave that is not in this tree yet. */
  readonly beside: readonly string[];
  /** Decisions of people. */
  readonly decisions: readonly SettledChoice[];
};

export type PhaseJudgement = {
  readonly decision: Decision;
  readonly changed: readonly string[];
  readonly verdict?: ReviewVerdict;
  readonly faults: readonly Fault[];
  /** Findings of the checks, with failing tests and their output. */
  readonly seen: readonly Finding[];
  /** Output of red checks that no finding contains. */
  readonly output?: string;
};

/**
 * Runs the build gate, then the code review, then marks the todo item. A red build is not reviewed, and a blocked phase
 * is not marked.
 */
export async function judgePhase(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  subject: PhaseSubject,
): Promise<PhaseJudgement> {
  const { phase, base, work } = subject;
  const kind = getPhaseKind(phase);
  const changes = kind === "read-only" ? [] : await verbs.see("changes", { from: base, to: work.after });
  const changed = changes.map((change) => change.path);
  const task = `phase-${phase.phase_id}`;
  const declared = listWrites(phase);
  const checks = kind === "code" || changed.length > 0;
  const evidence = checks ? await verbs.check(work.after, { baseline: base, task, declared }) : undefined;
  const due = kind !== "read-only" && declared.length > 0;
  const facts: PhaseFacts = {
    kind,
    work: { due, changed, outside: work.outside },
    evidence,
    todo: false,
    unbuiltBy: context.unbuiltBy,
  };
  const gate = { phase, tree: work.after.tree, spent: subject.spent };
  if (!isPassing(BUILD_RULES, facts)) {
    const decision = await decidePhaseGate(verbs, context, {
      ...gate,
      rules: BUILD_RULES,
      about: facts,
      state: "ACTING",
    });
    return {
      decision,
      changed,
      faults: [toGateFault(decision, "build gate", work.outside)],
      ...collectRedOutput(evidence),
    };
  }
  verbs.phase("REVIEWING");
  const { verdict, faults } = await reviewPhase(verbs, context, { ...subject, changed, evidence });
  const about = { ...facts, verdict };
  const todo = isPassing([...BUILD_RULES, REVIEW_RULE], about);
  if (todo) for (const item of createTodos({ phases: [phase] }, [phase.phase_id])) await markTodo(verbs, item);
  const confidence = kind === "docs" ? verdict?.confidence : undefined;
  const whole = {
    ...gate,
    spent: [...subject.spent, ...faults.map((fault) => fault.class)],
    rules: COMPLETE_RULES,
    about: { ...about, todo },
    ...(confidence !== undefined && { confidence }),
  };
  const decision = await decidePhaseGate(verbs, context, whole);
  const own = decision.passed ? [] : [toGateFault(decision, "code review")];
  return { decision, changed, faults: [...faults, ...own], seen: [], ...(verdict && { verdict }) };
}

type ReviewSubject = PhaseSubject & { readonly changed: readonly string[]; readonly evidence: Evidence | undefined };

/** @rule P-59 (code) CodeReviewer gets the engine's list of changed files, the phase scope and the execution report. */
async function reviewPhase(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  subject: ReviewSubject,
): Promise<ReviewResult> {
  const { phase, base, work, changed, evidence, spent, beside, decisions } = subject;
  if (!CHECKLIST[getPhaseKind(phase)].includes("review")) return { verdict: undefined, faults: [] };
  const diff = await verbs.see("diff", { from: base, to: work.after });
  const before = subject.before.flatMap(({ issues }) => issues);
  const brief = {
    scope: `phase ${phase.phase_id}: its changes compared with its scope`,
    context_references: [getPlanPath(context.task)],
    phase_id: phase.phase_id,
    changed_files: changed,
    review_scope: "phase",
    task_description: context.request,
    phase_scope: toPhasePurpose(phase),
    execution_report: extractClaims(work),
    ...(evidence && { evidence: extractChecks(evidence) }),
    ...(beside.length > 0 && { beside }),
    ...(before.length > 0 && { reviewed_before: before }),
    ...(decisions.length > 0 && { decisions }),
    diff,
  };
  const task = `phase-${phase.phase_id}`;
  return reviewWork(verbs, context, { name: `Phase ${phase.phase_id}`, tree: work.after, brief, spent, task });
}

type PhaseGate = {
  readonly phase: Phase;
  readonly tree?: string;
  readonly rules: readonly ValueRule<PhaseFacts>[];
  readonly about: PhaseFacts;
  readonly state?: RunPhase;
  readonly confidence?: number;
  /** Failures of the phase so far. */
  readonly spent: readonly FailureClass[];
  /** The failure is already recorded, so a failed gate adds none. */
  readonly booked?: boolean;
};

/** Judges a phase. Every decision produces one event, whichever rules it uses. */
export function decidePhaseGate(verbs: Verbs<unknown>, context: PhasesContext, gate: PhaseGate): Promise<Decision> {
  const { phase, tree, rules, about, state, confidence, spent, booked } = gate;
  const shouldAsk = (decision: Decision) => {
    const all = booked ? spent : [...spent, toGateFault(decision, "").class];
    return !decision.passed && routeFailures(all, context.policy).go === "escalate";
  };
  return decideGate(verbs, context, {
    type: "PHASE_REVIEW_GATE",
    phase: phase.phase_id,
    rules,
    about: { ...about, ...(tree === undefined ? {} : { tree }) },
    ...(state && { state }),
    ...(confidence === undefined ? {} : { confidence }),
    miss: (decision) => (shouldAsk(decision) ? "ABSTAIN" : "REPLAN"),
    asks: shouldAsk,
    next: { go: "the phase is complete", miss: "the failure is classified and routed" },
    extras: { safety_checks: ["scope_checked", "todo_verified"] },
  });
}

/**
 * A finding that no change of files can fix needs a person. Discarded files are named, because they may be the reason
 * for a red check.
 */
function toGateFault({ findings }: Pick<Decision, "findings">, at: string, dropped: readonly string[] = []): Fault {
  const stuck = findings.some(({ by }) => by === "unavailable" || by === "unreviewed");
  const serious = findings.filter(({ severity }) => severity !== "minor");
  const left = dropped.length > 0 ? [`discarded because the phase does not list them: ${dropped.join(", ")}`] : [];
  const reason = [...serious.map((finding) => finding.message), ...left].join("; ");
  return { class: stuck ? "escalate" : "fixable", at, reason };
}

const isPassing = (rules: readonly ValueRule<PhaseFacts>[], about: PhaseFacts): boolean =>
  rules.every((rule) => rule.judge(about).passed);

function collectRedOutput(evidence: Evidence | undefined): Pick<PhaseJudgement, "seen" | "output"> {
  const facts = [...(evidence?.regressions ?? []), ...(evidence?.findings ?? [])].filter(({ output }) => output);
  return { seen: facts, ...(facts.length > 0 ? {} : formatRedOutput(evidence)) };
}

function formatRedOutput(evidence: Evidence | undefined): { readonly output?: string } {
  const red = new Set(filterRedChecks(evidence?.checks ?? []).map(({ name }) => name));
  const lines = evidence?.checks
    .filter(({ name }) => red.has(name))
    .map(({ name, because = name, snippet, output = snippet }) => `${because}:\n${output}`);
  return lines && lines.length > 0 ? { output: lines.join("\n\n") } : {};
}
