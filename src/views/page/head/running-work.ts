import type { Account } from "../../../core/budget/account.ts";
import { formatAgentName } from "../../agent-name.ts";
import type { AttemptView } from "../../attempts.ts";
import type { RunView } from "../../run-view.ts";
import type { LiveState } from "../live-state.ts";
import type { PageHead, RunningAgent, RunningCheck } from "../page.ts";
import { toDispatchRowId } from "../rows/dispatch-rows.ts";

/** Explains what happens to an agent whose engine is gone. The agent may still run or may have finished. */
const FATE =
  "no engine is reading it. On resume, its answer is used if it has finished; otherwise it is stopped and retried";

export function listRunningAgents(view: RunView, around: LiveState, account: Account): readonly RunningAgent[] {
  if (view.end?.type === "run.finished" || view.agents.length === 0) return [];
  const open = new Set(view.agents.map(({ effect }) => effect));
  const known = new Map<string, string>();
  const said = new Map<string, NonNullable<RunningAgent["said"]>>();
  return view.attempts.flatMap((each) => {
    const { key, effect } = each.started;
    if (each.finished?.by !== undefined) known.set(key, each.finished.by);
    if (each.finished?.usage) said.set(key, addUsage(said.get(key), each.finished.usage));
    if (!open.has(effect)) return [];
    return [toRunningAgent(each, { around, account, by: known.get(key) ?? null, said: said.get(key) ?? null })];
  });
}

type AttemptUsage = NonNullable<NonNullable<AttemptView["finished"]>["usage"]>;

function addUsage(sum: RunningAgent["said"] = null, { inputTokens = 0, outputTokens = 0, usd = 0 }: AttemptUsage) {
  return { tokens: (sum?.tokens ?? 0) + inputTokens + outputTokens, usd: (sum?.usd ?? 0) + usd };
}

type RunningAgentInputs = {
  readonly around: LiveState;
  readonly account: Account;
  readonly by: string | null;
  readonly said: RunningAgent["said"];
};

function toRunningAgent(
  { started, phase }: AttemptView,
  { around, account, by, said }: RunningAgentInputs,
): RunningAgent {
  const { key, effect, role, instance, task, round, attempt, ts: since } = started;
  const { lastAction = null, silence = null } = around.signs.get(effect) ?? {};
  const stale = !around.presence.owned;
  return {
    id: toDispatchRowId(key),
    ...{ key, effect, who: formatAgentName({ role, instance, task }), role, phase, round, attempt, by, since },
    lastAction,
    silence,
    reservedUsd: account.guess(role),
    said,
    stale,
    fate: stale ? FATE : null,
  };
}

export function listRunningChecks({ checking }: RunView, { presence }: LiveState): readonly RunningCheck[] {
  const [last] = checking.slice(-1);
  const { command } = presence;
  if (!last || !presence.owned) return [];
  if (!command) return checking.map(({ since, phase }) => ({ name: "the project's checks", line: "", since, phase }));
  return [{ name: command.name, line: command.run, since: command.since, phase: last.phase }];
}

export function listWaitingDispatches({ resting }: RunView): PageHead["resting"] {
  return resting.map(({ because, untilMs = null, ...player }) => ({ who: formatAgentName(player), because, untilMs }));
}
