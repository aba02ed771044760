import { formatStatusLines } from "../../surfaces/terminal/status-lines.ts";
import type { AgentView } from "../../views/attempts.ts";
import { hasPassedRules } from "../../views/gates.ts";
import { selectRecentOwnSteps } from "../../views/own-steps.ts";
import type { RunPage } from "../../views/page/page.ts";
import { sumCostByRole } from "../../views/role-cost.ts";
import { describeStatus } from "../../views/run-status-text.ts";
import type { RunView } from "../../views/run-view.ts";
import { getRunWork } from "../../views/unaccepted-work.ts";
import type { Call } from "../call.ts";
import { sendAbandoned } from "../notify/sender.ts";
import { findRun } from "../runs/find-run.ts";
import { loadRunPage } from "../runs/page/run-page.ts";
import { toQuestionDocument } from "../runs/questions/approvals.ts";
import { withRunStore } from "../runs/run-store.ts";

export async function showStatus(call: Call, runRef: string | undefined): Promise<number> {
  return withRunStore(call, async (store) => {
    const row = await findRun(store.host, store.places.top, runRef);
    sendAbandoned(store.places);
    // The forecast reads older runs and is only part of the JSON output.
    const { view: seen, page, presence } = await loadRunPage(store, row, call.json ? undefined : null);
    const view = { ...seen, agents: addSilence(seen.agents, page) };
    const standing = describeStatus(view, presence);
    if (call.json) {
      const { exit, submitter } = row;
      call.emit({ v: 1, ...standing, exit, submitter, ...toStatusDocument(view), ...toPageFields(page, view.agents) });
    } else
      for (const line of formatStatusLines(call.paint, {
        view,
        page,
        standing,
        submitter: row.submitter,
        now: store.world.now(),
      }))
        call.print(line);
    return 0;
  });
}

function addSilence(agents: readonly AgentView[], { head }: RunPage): readonly AgentView[] {
  const shown = new Map(head.agents.map(({ effect, silence }) => [effect, silence]));
  return agents.map((agent) => {
    const silence = shown.get(agent.effect);
    return silence ? { ...agent, silence } : agent;
  });
}

/** Fields of the page that the JSON status adds. */
function toPageFields({ head }: RunPage, agents: readonly AgentView[]) {
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

/** JSON document of a status. The order of its fields is part of the format. */
function toStatusDocument(view: RunView) {
  const { pipeline, version, approvals, startedAt, exempt, run, lastAt, lastGate, spent } = view;
  const { lastAction, notes, limits, caveats, orchestrationMs, workedMs } = view;
  const began = { pipeline, version, approvals, startedAt, exempt, run, lastAt };
  const ended = { commit: view.commits.at(-1), work: getRunWork(view), limits, caveats, orchestrationMs, workedMs };
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
      roles: sumCostByRole(view),
    },
    lastGate: lastGate && {
      gate: lastGate.gate,
      rules: lastGate.rules.map(({ rule, passed, actual, need }) => ({ rule, passed, actual, need })),
      passed: hasPassedRules(lastGate),
    },
    lastAction,
    notes,
    ownSteps: selectRecentOwnSteps(view),
    ...ended,
    waiting: view.open.map(toQuestionDocument),
  };
}
