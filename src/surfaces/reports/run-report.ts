import type { Finding } from "../../core/finding.ts";
import type { Json } from "../../core/json.ts";
import type { JournalRecord } from "../../core/record.ts";
import { type DecisionSeen, decisionsIn, standingDecisions } from "./decisions.ts";
import { type DispatchSeen, dispatchesIn } from "./dispatches.ts";
import { evidenceByTask, type TaskEvidence } from "./evidence.ts";
import { type PhaseTimes, phaseTimes } from "./phase-times.ts";
import { only } from "./records.ts";

export type ApprovalSeen = {
  readonly approval: string;
  readonly title: string;
  readonly askedAt: number;
  readonly choice?: string;
  readonly by?: string;
  readonly note?: string;
  readonly decidedAt?: number;
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
  readonly commits: readonly { readonly commit: string; readonly branch: string }[];
  readonly phases: readonly PhaseTimes[];
  readonly dispatches: readonly DispatchSeen[];
  readonly decisions: readonly DecisionSeen[];
  readonly evidence: readonly TaskEvidence[];
  readonly approvals: readonly ApprovalSeen[];
  /** Of the decisions that stand at the end. */
  readonly findings: readonly (Finding & { readonly gate: string })[];
  readonly spent: {
    readonly attempts: number;
    readonly retries: number;
    readonly interruptions: number;
    readonly usd: number;
    /** Attempts that did not say what they cost. */
    readonly usdUnknown: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  readonly orchestration: { readonly tokens: 0; readonly ms: number };
  /** The last record and the hash over all of them. */
  readonly head: { readonly seq: number; readonly chain: string };
};

export function reportOf(records: readonly JournalRecord[], measured: { readonly orchestrationMs: number }): RunReport {
  const started = only(records, "run.started")[0];
  const last = records.at(-1);
  const decisions = decisionsIn(records);
  return {
    v: 1,
    run: last?.run ?? "",
    pipeline: started?.pipeline ?? "",
    version: started?.version ?? 0,
    // The schema has its own name for the same type.
    input: (started?.input ?? null) as Json,
    approvalsMode: started?.approvals ?? "",
    ...endOf(last),
    exempt: started?.exempt ?? null,
    startedAt: started?.ts ?? 0,
    lastAt: last?.ts ?? 0,
    base: started?.base ?? { commit: "", tree: "" },
    commits: commitsIn(records),
    phases: phaseTimes(records),
    dispatches: dispatchesIn(records),
    decisions,
    evidence: evidenceByTask(records),
    approvals: approvalsIn(records),
    findings: standingDecisions(decisions).flatMap(({ gate, findings }) => findings.map((each) => ({ ...each, gate }))),
    spent: spentIn(records),
    orchestration: { tokens: 0, ms: Math.round(measured.orchestrationMs) },
    head: { seq: last?.seq ?? 0, chain: last?.chain ?? "" },
  };
}

type End = Pick<RunReport, "status" | "exit" | "reason" | "confidence" | "caveats" | "next">;

function endOf(last: JournalRecord | undefined): End {
  const open = { status: "running", exit: null, reason: null, confidence: null, caveats: [], next: [] };
  if (last?.type === "run.suspended") return { ...open, status: last.status, exit: last.exit, reason: last.reason };
  if (last?.type !== "run.finished") return open;
  const { status, exit, reason = null, confidence = null, caveats = [], next = [] } = last;
  return { status, exit, reason, confidence, caveats, next };
}

function commitsIn(records: readonly JournalRecord[]): RunReport["commits"] {
  const keys = new Set(
    only(records, "step.started")
      .filter((step) => step.verb === "commit")
      .map((step) => step.key),
  );
  return only(records, "step.finished").flatMap(({ key, value }) => {
    // What the verb returned, recorded.
    return keys.has(key) && value !== undefined ? [value as { commit: string; branch: string }] : [];
  });
}

function approvalsIn(records: readonly JournalRecord[]): readonly ApprovalSeen[] {
  const decided = new Map(only(records, "approval.decided").map((record) => [record.approval, record]));
  return only(records, "approval.requested").map(({ approval, title, ts }) => {
    const answer = decided.get(approval);
    if (!answer) return { approval, title, askedAt: ts };
    const { choice, by, note, ts: decidedAt } = answer;
    return { approval, title, askedAt: ts, choice, by, decidedAt, ...(note === undefined ? {} : { note }) };
  });
}

function spentIn(records: readonly JournalRecord[]): RunReport["spent"] {
  const finished = only(records, "agent.finished");
  const sum = (of: (record: JournalRecord<"agent.finished">) => number | undefined): number =>
    finished.reduce((total, record) => total + (of(record) ?? 0), 0);
  return {
    attempts: only(records, "agent.started").length,
    retries: only(records, "agent.retried").length,
    interruptions: finished.filter((record) => record.outcome === "interrupted").length,
    usd: sum((record) => record.usage?.usd),
    usdUnknown: finished.filter((record) => record.usage?.usd === undefined).length,
    inputTokens: sum((record) => record.usage?.inputTokens),
    outputTokens: sum((record) => record.usage?.outputTokens),
  };
}
