import { getRequest } from "../../../core/authoring/request.ts";
import type { Account } from "../../../core/budget/account.ts";
import { type EvidenceReport, selectLatestChecks } from "../../evidence.ts";
import type { RunView } from "../../run-view.ts";
import type { LiveState } from "../live-state.ts";
import type { BackEdge, PageHead } from "../page.ts";
import type { GateTotals } from "../rows/gate-totals.ts";
import { listActions } from "./actions.ts";
import type { RunState } from "./run-state.ts";
import { describeWait } from "./run-wait.ts";
import { listRunningAgents, listRunningChecks, listWaitingDispatches } from "./running-work.ts";

export type PageHeadInputs = {
  readonly view: RunView;
  readonly account: Account;
  readonly around: LiveState;
  readonly standing: RunState;
  readonly gates: GateTotals;
  readonly backEdges: readonly BackEdge[];
};

export function buildPageHead({ view, account, around, standing, gates, backEdges }: PageHeadInputs): PageHead {
  const { run, pipeline, version, approvals, startedAt, lastAt, workedMs, base, commits, caveats, end, status } = view;
  const { presence, repository, forecast } = around;
  return {
    ...{ run, pipeline, version, repository, request: getRequest(view.input), approvals },
    state: standing.state,
    status,
    exit: end?.exit ?? null,
    waitsFor: describeWait(view, presence, standing),
    because: standing.because,
    next: standing.next,
    confidence: end?.type === "run.finished" ? (end.confidence ?? null) : null,
    ...{ caveats, startedAt, lastAt, workedMs, base, commits },
    counts: countHeadTotals(view, account, gates),
    cost: { ...account.money(), limitUsd: view.limits.usd ?? null },
    tokens: sumTokens(view),
    forecast,
    agents: listRunningAgents(view, around, account),
    checks: listRunningChecks(view, around),
    resting: listWaitingDispatches(view),
    actions: listActions(view, presence),
    backEdges,
  };
}

function countHeadTotals(view: RunView, account: Account, gates: GateTotals): PageHead["counts"] {
  const { spent, open, questions, evidence } = view;
  return {
    dispatches: spent.attempts,
    retried: spent.retries,
    interrupted: spent.interruptions,
    atWork: view.end?.type === "run.finished" ? 0 : account.open(),
    gatesPassed: gates.passed,
    gatesMissed: gates.missed.length,
    questionsOpen: open.length,
    answeredByRule: questions.filter(({ answer }) => answer?.by === "automatic").length,
    checksNotRun: evidence.some(isNotRun) ? selectLatestChecks(evidence).filter(isNotRun).length : 0,
  };
}

const isNotRun = ({ outcome }: Pick<EvidenceReport, "outcome">): boolean => outcome === "not-run";

function sumTokens({ spent, attempts }: RunView): PageHead["tokens"] {
  const silent = attempts.filter(({ finished }) => {
    const { inputTokens, outputTokens } = finished?.usage ?? {};
    return finished !== undefined && (inputTokens === undefined || outputTokens === undefined);
  });
  return { input: spent.inputTokens, output: spent.outputTokens, unknown: silent.length };
}
