import type { RunRow } from "../../core/ports/host.ts";
import { statusLines } from "../../surfaces/terminal/status-lines.ts";
import type { AgentView } from "../../views/attempts.ts";
import { isPassed } from "../../views/gates.ts";
import { recentOwnSteps } from "../../views/own-steps.ts";
import type { RunPage } from "../../views/page/page.ts";
import { standingOf } from "../../views/run-status-text.ts";
import type { RunView } from "../../views/run-view.ts";
import { spentByRole } from "../../views/spent.ts";
import { workOf } from "../../views/work.ts";
import type { Call } from "../call.ts";
import { sendWhatWasLeft } from "../notify/sender.ts";
import { questionDocument } from "../runs/approvals.ts";
import { withView } from "../runs/one-run.ts";
import { pageOfRun } from "../runs/page/page-of-run.ts";
import { presenceOf } from "../runs/presence.ts";
import type { RunStore } from "../runs/run-store.ts";

export async function status(call: Call, asked: string | undefined): Promise<number> {
  return withView(call, asked, async ({ store, row, view: seen }) => {
    sendWhatWasLeft(store.places);
    const view = { ...seen, agents: await withTimeLimits(store, row, seen.agents) };
    const standing = standingOf(view, await presenceOf(store, row, view));
    if (call.json) {
      call.emit({
        v: 1,
        ...standing,
        exit: row.exit,
        ...documentOf(view),
        ...shownOf(await pageOfRun(store, row), view.agents),
      });
    } else for (const line of statusLines(call.paint, { view, standing, now: store.world.now() })) call.print(line);
    return 0;
  });
}

/** What the page says beside it. */
function shownOf({ head }: RunPage, agents: readonly AgentView[]) {
  const { state, waitsFor, cost, forecast, counts, tokens, confidence, checks, actions, backEdges } = head;
  const shown = new Map(head.agents.map((agent) => [agent.effect, agent]));
  return {
    ...{ state, waitsFor, counts, cost, tokens, forecast, confidence, checks, actions, backEdges },
    agents: agents.map((agent) => {
      const { key, who, phase, round, by, lastAction, reservedUsd, stale, fate } = shown.get(agent.effect) ?? {};
      return { ...agent, key, who, phase, round, by, lastAction, reservedUsd, stale, fate };
    }),
  };
}

/** Only where somebody is at work: reading the configuration takes as long as all the rest. */
async function withTimeLimits(
  store: RunStore,
  row: RunRow,
  agents: readonly AgentView[],
): Promise<readonly AgentView[]> {
  if (agents.length === 0) return agents;
  const { withIdleTimes: withSilence } = await import("../project/idle-times.ts");
  return withSilence(store, { run: row.id, pipeline: row.pipeline }, agents);
}

/** What it shows for programs; their order is part of it. */
function documentOf(view: RunView) {
  const { pipeline, version, approvals, startedAt, exempt, run, lastAt, lastGate, spent } = view;
  const { lastAction, notes, limits, caveats, orchestrationMs, workedMs } = view;
  const began = { pipeline, version, approvals, startedAt, exempt, run, lastAt };
  const ended = { commit: view.commits.at(-1), work: workOf(view), limits, caveats, orchestrationMs, workedMs };
  return {
    ...began,
    phases: view.phases.map(({ title, state, reason }) => ({ title, state, reason })),
    agents: view.agents,
    resting: view.resting,
    errors: view.failed.map(({ started: { key: step, instance, role }, finished, retried = false }) => {
      const { message: error, class: kind } = finished?.failure ?? {};
      return { step, agent: instance || role, error, class: kind, retried };
    }),
    retries: view.retries,
    spent: {
      dispatches: spent.attempts,
      usd: spent.usd,
      usdUnknown: spent.usdUnknown,
      inputTokens: spent.inputTokens,
      outputTokens: spent.outputTokens,
      roles: spentByRole(view),
    },
    lastGate: lastGate && {
      gate: lastGate.gate,
      rules: lastGate.rules.map(({ rule, passed, actual, need }) => ({ rule, passed, actual, need })),
      passed: isPassed(lastGate),
    },
    lastAction,
    notes,
    ownSteps: recentOwnSteps(view),
    ...ended,
    waiting: view.open.map(questionDocument),
  };
}
