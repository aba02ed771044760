import type { Account } from "../../../core/budget/account.ts";
import { isBad, standingChecks } from "../../evidence.ts";
import { standingDecisions } from "../../gates.ts";
import type { RunView } from "../../run-view.ts";
import type { Around } from "../around.ts";
import type { BackEdge, PageHead } from "../page.ts";
import { actionsOf } from "./actions.ts";
import { agentsAtWork, checksAtWork, restingOf } from "./at-work.ts";
import { requestOf } from "./request.ts";
import type { RunState } from "./run-state.ts";
import { waitsFor } from "./waits-for.ts";

export type HeadParts = {
  readonly view: RunView;
  readonly account: Account;
  readonly around: Around;
  readonly standing: RunState;
  readonly backEdges: readonly BackEdge[];
};

export function headOf({ view, account, around, standing, backEdges }: HeadParts): PageHead {
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
    counts: countsOf(view, account),
    cost: { ...account.money(), limitUsd: view.limits.usd ?? null },
    tokens: tokensOf(view),
    forecast,
    agents: agentsAtWork(view, around, account),
    checks: checksAtWork(view, around),
    resting: restingOf(view),
    actions: actionsOf(view, presence),
    backEdges,
  };
}

function countsOf(view: RunView, account: Account): PageHead["counts"] {
  const { spent, open, questions, evidence } = view;
  const decisions = standingDecisions(view);
  const passed = decisions.filter((each) => each.passed).length;
  return {
    dispatches: spent.attempts,
    retried: spent.retries,
    interrupted: spent.interruptions,
    atWork: view.end?.type === "run.finished" ? 0 : account.open(),
    gatesPassed: passed,
    gatesMissed: decisions.length - passed,
    questionsOpen: open.length,
    answeredByRule: questions.filter(({ answer }) => answer?.by === "automatic").length,
    checksNotRun: standingChecks(evidence).filter((each) => each.outcome === "not-run" && isBad(each)).length,
  };
}

function tokensOf({ spent, attempts }: RunView): PageHead["tokens"] {
  const silent = attempts.filter(({ finished }) => {
    const { inputTokens, outputTokens } = finished?.usage ?? {};
    return finished !== undefined && (inputTokens === undefined || outputTokens === undefined);
  });
  return { input: spent.inputTokens, output: spent.outputTokens, unknown: silent.length };
}
