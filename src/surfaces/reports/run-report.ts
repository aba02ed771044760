import type { Finding } from "../../core/authoring/finding.ts";
import type { Json } from "../../core/text/json.ts";
import { type DispatchReport, dispatchesOf, type Spent } from "../../views/attempts.ts";
import { evidenceByTask, type TaskEvidence } from "../../views/evidence.ts";
import { type DecisionReport, decisionOf, standingDecisions } from "../../views/gates.ts";
import type { OwnStep } from "../../views/own-steps.ts";
import type { PageRow, RunPage } from "../../views/page/page.ts";
import type { PhaseView } from "../../views/phases.ts";
import type { QuestionSeen } from "../../views/questions.ts";
import type { RunView } from "../../views/run-view.ts";
import { type RoleCost, spentByRole } from "../../views/spent.ts";
import type { StateName } from "../../views/states.ts";
import type { Committed } from "../../views/step-results.ts";
import { type UnacceptedWork, workOf } from "../../views/unaccepted-work.ts";

export type ApprovalReport = {
  readonly approval: string;
  readonly title: string;
  readonly askedAt: number;
  readonly choice?: string;
  readonly by?: string;
  readonly note?: string;
  readonly decidedAt?: number;
};

export type PhaseTimes = Pick<PhaseView, "title" | "ms" | "retries"> & {
  /** As every surface names it. */
  readonly shown: StateName;
  readonly state: "done" | "failed" | "open" | "skipped" | "not started";
  readonly reason?: string;
  readonly startedAt?: number;
  readonly dispatches: number;
};

/** A whole run as data: every reporter renders this and nothing else. */
export type RunReport = {
  readonly v: 1;
  readonly run: string;
  readonly pipeline: string;
  readonly version: number;
  readonly input: Json;
  readonly approvalsMode: string;
  readonly status: string;
  /** As every surface names it. */
  readonly state: StateName;
  readonly exit: number | null;
  readonly reason: string | null;
  readonly confidence: string | null;
  /** What was committed although evidence could not decide it, and who said so. */
  readonly caveats: readonly string[];
  /** Where it could not begin: what to configure, line by line. */
  readonly next: readonly string[];
  /** Why it needed no command of the project, where somebody said so beforehand. */
  readonly exempt: string | null;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly base: { readonly commit: string; readonly tree: string };
  readonly commits: readonly Committed[];
  /** What it left that no commit holds, and why. */
  readonly unaccepted: UnacceptedWork | null;
  readonly phases: readonly PhaseTimes[];
  readonly dispatches: readonly (DispatchReport & { readonly state: StateName })[];
  readonly decisions: readonly DecisionReport[];
  readonly evidence: readonly TaskEvidence[];
  /** What the pipeline did itself: claims, evidence of nothing. */
  readonly ownSteps: readonly OwnStep[];
  readonly approvals: readonly ApprovalReport[];
  /** Of the decisions that stand at the end. */
  readonly findings: readonly (Finding & { readonly gate: string })[];
  readonly spent: Spent;
  readonly spentByRole: readonly RoleCost[];
  readonly orchestration: { readonly tokens: 0; readonly ms: number };
  /** The last record and the hash over all of them. */
  readonly head: { readonly seq: number; readonly chain: string };
};

/** `page`: of the same records; the states are its. */
export function reportOf(view: RunView, page: RunPage): RunReport {
  const states = statesIn(page);
  const { run, pipeline, version, input, approvals, startedAt, lastAt, base, commits, gates, questions, spent } = view;
  return {
    v: 1,
    run,
    pipeline,
    version,
    input,
    approvalsMode: approvals,
    ...endOf(view),
    state: page.head.state,
    exempt: view.exempt ?? null,
    startedAt,
    lastAt,
    base,
    commits,
    unaccepted: workOf(view).unaccepted ?? null,
    phases: view.phases.map((phase) => phaseOf(phase, states(`phase:${phase.title}`))),
    dispatches: dispatchesOf(view).map((each) => ({ ...each, state: states(each.key) })),
    decisions: gates.map(decisionOf),
    evidence: evidenceByTask(view),
    ownSteps: view.ownSteps,
    approvals: questions.map(approvalOf),
    findings: standingDecisions(view).flatMap(({ gate, findings }) => findings.map((each) => ({ ...each, gate }))),
    spent,
    spentByRole: spentByRole(view),
    orchestration: { tokens: 0, ms: Math.round(view.orchestrationMs) },
    head: view.head,
  };
}

function endOf({ end, status, caveats }: RunView) {
  const { exit = null, reason = null } = end ?? {};
  const { confidence = null, next = [] } = end?.type === "run.finished" ? end : {};
  return { status, exit, reason, confidence, caveats, next };
}

/** In a document a phase is open as long as a step of it is; who drives the run does not matter. */
function phaseOf(phase: PhaseView, shown: StateName): PhaseTimes {
  const { title, reason, failed, startedAt, ms, attempts: dispatches, retries } = phase;
  const state = stateOfPhase(phase);
  const why = state === "failed" ? failed : state === "skipped" ? reason : undefined;
  const because = why === undefined ? {} : { reason: why };
  return {
    title,
    state,
    shown,
    ...because,
    ...(startedAt === undefined ? {} : { startedAt }),
    ms,
    dispatches,
    retries,
  };
}

function stateOfPhase({ startedAt, reason, open, failed }: PhaseView): PhaseTimes["state"] {
  if (startedAt === undefined) return reason === undefined ? "not started" : "skipped";
  if (open) return "open";
  return failed === undefined ? "done" : "failed";
}

/** By a row's id, and of dispatches by their key. */
function statesIn({ rows }: RunPage): (name: string) => StateName {
  const named = (row: PageRow): string => (row.kind === "dispatch" ? row.key : row.id);
  const states = new Map(rows.map((row) => [named(row), row.state]));
  return (name) => states.get(name) ?? "unknown";
}

function approvalOf({ asked: { approval, title, ts: askedAt }, answer }: QuestionSeen): ApprovalReport {
  if (!answer) return { approval, title, askedAt };
  const { choice, by, note, ts: decidedAt } = answer;
  return { approval, title, askedAt, choice, by, decidedAt, ...(note === undefined ? {} : { note }) };
}
