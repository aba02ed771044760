import type { Finding } from "../../core/authoring/finding.ts";
import type { Json } from "../../core/text/json.ts";
import { type DispatchReport, toDispatchReports, type UsageTotals } from "../../views/attempts.ts";
import { groupEvidenceByTask, type TaskEvidence } from "../../views/evidence.ts";
import { type DecisionReport, selectLatestDecisions, toDecisionReport } from "../../views/gates.ts";
import type { OwnStep } from "../../views/own-steps.ts";
import type { PageRow, RunPage } from "../../views/page/page.ts";
import type { PhaseView } from "../../views/phases.ts";
import type { QuestionView } from "../../views/questions.ts";
import { type RoleCost, sumCostByRole } from "../../views/role-cost.ts";
import type { RunView } from "../../views/run-view.ts";
import type { StateName } from "../../views/states.ts";
import type { RunCommit } from "../../views/step-results.ts";
import { getRunWork, type UnacceptedWork } from "../../views/unaccepted-work.ts";

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
  /** The state as all surfaces name it. */
  readonly shown: StateName;
  readonly state: "done" | "failed" | "open" | "skipped" | "not started";
  readonly reason?: string;
  readonly startedAt?: number;
  readonly dispatches: number;
};

/** A complete run as data. All reporters render this and nothing else. */
export type RunReport = {
  readonly v: 1;
  readonly run: string;
  readonly pipeline: string;
  readonly version: number;
  readonly input: Json;
  readonly approvalsMode: string;
  readonly status: string;
  /** The state as all surfaces name it. */
  readonly state: StateName;
  readonly exit: number | null;
  readonly reason: string | null;
  readonly confidence: string | null;
  /** Limitations of the evidence that a person accepted for a commit, and who accepted them. */
  readonly caveats: readonly string[];
  /** For a run that could not start: what to configure, line by line. */
  readonly next: readonly string[];
  /** Why the run needed no project command, if a person stated that in advance. */
  readonly exempt: string | null;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly base: { readonly commit: string; readonly tree: string };
  readonly commits: readonly RunCommit[];
  /** Work that no commit contains, and why. */
  readonly unaccepted: UnacceptedWork | null;
  readonly phases: readonly PhaseTimes[];
  readonly dispatches: readonly (DispatchReport & { readonly state: StateName })[];
  readonly decisions: readonly DecisionReport[];
  readonly evidence: readonly TaskEvidence[];
  /** Steps of the pipeline. Their results are claims, not evidence. */
  readonly ownSteps: readonly OwnStep[];
  readonly approvals: readonly ApprovalReport[];
  /** Findings of the latest decisions. */
  readonly findings: readonly (Finding & { readonly gate: string })[];
  readonly spent: UsageTotals;
  readonly spentByRole: readonly RoleCost[];
  readonly orchestration: { readonly tokens: 0; readonly ms: number };
  /** The last record and the hash over all records. */
  readonly head: { readonly seq: number; readonly chain: string };
};

/** Builds the report of a run. `page` has the same records and provides the states. */
export function buildReport(view: RunView, page: RunPage): RunReport {
  const states = createStateLookup(page);
  const { run, pipeline, version, input, approvals, startedAt, lastAt, base, commits, gates, questions, spent } = view;
  return {
    v: 1,
    run,
    pipeline,
    version,
    input,
    approvalsMode: approvals,
    ...getEndFacts(view),
    state: page.head.state,
    exempt: view.exempt ?? null,
    startedAt,
    lastAt,
    base,
    commits,
    unaccepted: getRunWork(view).unaccepted ?? null,
    phases: view.phases.map((phase) => toPhaseTimes(phase, states(`phase:${phase.title}`))),
    dispatches: toDispatchReports(view).map((each) => ({ ...each, state: states(each.key) })),
    decisions: gates.map(toDecisionReport),
    evidence: groupEvidenceByTask(view),
    ownSteps: view.ownSteps,
    approvals: questions.map(toApprovalReport),
    findings: selectLatestDecisions(view).flatMap(({ gate, findings }) => findings.map((each) => ({ ...each, gate }))),
    spent,
    spentByRole: sumCostByRole(view),
    orchestration: { tokens: 0, ms: Math.round(view.orchestrationMs) },
    head: view.head,
  };
}

function getEndFacts({ end, status, caveats }: RunView) {
  const { exit = null, reason = null } = end ?? {};
  const { confidence = null, next = [] } = end?.type === "run.finished" ? end : {};
  return { status, exit, reason, confidence, caveats, next };
}

/** A phase in a report is open while one of its steps is, whether or not an engine is running. */
function toPhaseTimes(phase: PhaseView, shown: StateName): PhaseTimes {
  const { title, reason, failed, startedAt, ms, attempts: dispatches, retries } = phase;
  const state = resolveReportedState(phase);
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

function resolveReportedState({ startedAt, reason, open, failed }: PhaseView): PhaseTimes["state"] {
  if (startedAt === undefined) return reason === undefined ? "not started" : "skipped";
  if (open) return "open";
  return failed === undefined ? "done" : "failed";
}

/** Looks up states by row id, and those of dispatches by key. */
function createStateLookup({ rows }: RunPage): (name: string) => StateName {
  const named = (row: PageRow): string => (row.kind === "dispatch" ? row.key : row.id);
  const states = new Map(rows.map((row) => [named(row), row.state]));
  return (name) => states.get(name) ?? "unknown";
}

function toApprovalReport({ asked: { approval, title, ts: askedAt }, answer }: QuestionView): ApprovalReport {
  if (!answer) return { approval, title, askedAt };
  const { choice, by, note, ts: decidedAt } = answer;
  return { approval, title, askedAt, choice, by, decidedAt, ...(note === undefined ? {} : { note }) };
}
