import { requestOf } from "../../../core/authoring/request.ts";
import type { Account } from "../../../core/budget/account.ts";
import { type EvidenceReport, standingChecks } from "../../evidence.ts";
import type { RunView } from "../../run-view.ts";
import type { Around } from "../around.ts";
import type { BackEdge, PageHead } from "../page.ts";
import type { StandingGates } from "../rows/standing-gates.ts";
import { actionsOf } from "./actions.ts";
import { agentsAtWork, checksAtWork, restingOf } from "./at-work.ts";
import type { RunState } from "./run-state.ts";
import { waitsFor } from "./waits-for.ts";

export type HeadParts = {
  readonly view: RunView;
  readonly account: Account;
  readonly around: Around;
  readonly standing: RunState;
  readonly gates: StandingGates;
  readonly backEdges: readonly BackEdge[];
};

export function headOf({ view, account, around, standing, gates, backEdges }: HeadParts): PageHead {
  const { run, pipeline, version, approvals, startedAt, lastAt, workedMs, base, commits, caveats, end, status } = view;
  const { presence, repository, forecast } = around;
  return {
    ...{ run, pipeline, version, repository, request: requestOf(view.input), approvals },
    state: standing.state,
    status,
    exit: end?.exit ?? null,
    waitsFor: waitsFor(view, presence, standing),
    because: standing.because,
    next: standing.next,
    confidence: end?.type === "run.finished" ? (end.confidence ?? null) : null,
    ...{ caveats, startedAt, lastAt, workedMs, base, commits },
    counts: countHeadTotals(view, account, gates),
    cost: { ...account.money(), limitUsd: view.limits.usd ?? null },
    tokens: sumTokens(view),
    forecast,
    agents: agentsAtWork(view, around, account),
    checks: checksAtWork(view, around),
    resting: restingOf(view),
    actions: actionsOf(view, presence),
    backEdges,
  };
}

function countHeadTotals(view: RunView, account: Account, gates: StandingGates): PageHead["counts"] {
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
    checksNotRun: evidence.some(isNotRun) ? standingChecks(evidence).filter(isNotRun).length : 0,
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
