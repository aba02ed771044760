import type { Finding } from "../../core/authoring/finding.ts";
import type { JournalRecord, RecordBody } from "../../core/journal/record.ts";
import { NO_LIVE_STATE } from "../../views/page/live-state.ts";
import { buildRunPage } from "../../views/page/page-fold.ts";
import { foldRunView } from "../../views/run-view.ts";
import { buildReport, type RunReport } from "./run-report.ts";

/** Text of an agent that tries to break out of the text in every report format. */
export const HOSTILE = [
  "::error::owned",
  "\n::set-output name=x::y",
  "%0A::add-mask::z",
  "##[group]deep",
  "``` </details> | | <script>alert(1)</script>",
  "]]> <![CDATA[ &amp; \u0000\u0008\ud800\uffff\u001b[31m",
  "\u202eturned",
].join(" ");

export const CHECK = {
  type: "evidence.recorded",
  key: "1 Work/check",
  task: "t1",
  check: "test",
  phase: "after",
  round: 1,
  passed: false,
  tree: "a".repeat(40),
  command: "npm test",
  exitCode: 1,
  ms: 1_500,
  digest: "d".repeat(64),
  snippet: "1 failed",
  turn: 1,
  outcome: "regression",
} as const satisfies RecordBody;

const GATE = {
  type: "gate.evaluated",
  key: "1 Work/gate",
  gate: "good enough",
  rule: "W-1",
  passed: false,
  actual: 0,
  need: 1,
  params: {},
} as const satisfies RecordBody;

/** A run of one check and one gate that fails with these findings. */
export function reportWith(findings: readonly Finding[], facts: readonly RecordBody[] = [CHECK]): RunReport {
  const decision = { id: GATE.key, gate: GATE.gate, passed: false, blocked: false, findings };
  return reportFrom(
    ...facts,
    { type: "step.started", key: GATE.key, scope: "", n: 1, verb: "gate", phase: "1 Work", print: "" },
    GATE,
    { type: "step.finished", key: GATE.key, value: decision },
    { type: "run.finished", status: "error", exit: 1, reason: HOSTILE },
  );
}

function reportFrom(...facts: readonly RecordBody[]): RunReport {
  const stamp = (fact: RecordBody, at: number) => ({
    v: 1,
    seq: at + 1,
    ts: at * 1000,
    run: "r_1",
    chain: "c",
    ...fact,
  });
  // The cast holds: an event with a stamp is a record.
  const records = facts.map(stamp) as JournalRecord[];
  return buildReport(foldRunView(records), buildRunPage(records, NO_LIVE_STATE));
}
