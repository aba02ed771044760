import { SignalboxError } from "../../../core/failure/errors.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { RunRow } from "../../../core/ports/host.ts";
import { toOneLine } from "../../../surfaces/terminal/clean-text.ts";
import { formatTime } from "../../../surfaces/terminal/duration.ts";
import { formatAgentName } from "../../../views/agent-name.ts";
import type { AttemptView } from "../../../views/attempts.ts";
import type { RunView } from "../../../views/run-view.ts";
import { refuseEnded } from "../ended-run.ts";
import { foldRun } from "../fold-run.ts";
import type { RunStore } from "../run-store.ts";
import { awaitOutcome, createAlreadySentError, type RunMessage, requireRunningEngine } from "./await-outcome.ts";

type AttemptEnd = JournalRecord<"agent.finished">;

/** Stops an attempt of an agent, named by agent, step or effect. Returns the record of its end. */
export async function stopAgent(
  store: RunStore,
  row: RunRow,
  { agent, ...message }: RunMessage & { readonly agent: string },
): Promise<AttemptEnd> {
  const { host, world } = store;
  await refuseEnded(store, row);
  const view = await foldRun(host, row.id);
  const { started } = findAgent(view, agent, world.now());
  const hint = `Its agents continue with the next engine (\`signalbox resume ${row.id}\`). End the run with \`signalbox cancel\`.`;
  await requireRunningEngine(store, row, hint);
  const earlier = await host.inbox.post(row.id, { kind: "stop", effect: started.effect, ...message });
  if (earlier) throw createAlreadySentError(formatAgentName(started), earlier, world.now());
  const ended = await awaitOutcome(store, row, {
    after: view.head.seq,
    came: (record) => (isAttemptEnd(record, started) ? record : undefined),
  });
  if (ended.failure?.class !== "canceled" && !ended.orderly)
    throw createNotRunningError({ started, finished: ended }, world.now());
  return ended;
}

function isAttemptEnd(record: JournalRecord, { key, attempt }: AttemptView["started"]): record is AttemptEnd {
  return record.type === "agent.finished" && record.key === key && record.attempt === attempt;
}

function findAgent({ attempts, agents }: RunView, asked: string, now: number): AttemptView {
  const open = new Set(agents.map(({ effect }) => effect));
  const named = attempts.filter(({ started }) => listAgentNames(started).includes(asked));
  const [first, ...more] = named.filter(({ started }) => open.has(started.effect));
  const atWork = attempts.filter(({ started }) => open.has(started.effect)).map(({ started }) => started.key);
  if (first && more.length === 0) return first;
  if (first) {
    const keys = [first, ...more].map(({ started }) => `"${toOneLine(started.key)}"`).join(", ");
    throw new SignalboxError(
      "USAGE",
      `${more.length + 1} agents match "${toOneLine(asked)}".`,
      `Name one of: ${keys}.`,
    );
  }
  const last = named.at(-1);
  if (last?.finished) throw createNotRunningError(last, now);
  throw new SignalboxError(
    "USAGE",
    `No agent of this run matches "${toOneLine(asked)}".`,
    atWork.length === 0 ? "No agent is running." : `Running: ${atWork.map((key) => `"${toOneLine(key)}"`).join(", ")}.`,
  );
}

function listAgentNames(started: AttemptView["started"]): readonly string[] {
  const { effect, key, attempt, role, instance } = started;
  return [effect, key, `${key}@${attempt}`, formatAgentName(started), instance, role];
}

function createNotRunningError(
  { started, finished }: Pick<AttemptView, "started" | "finished">,
  now: number,
): SignalboxError {
  const how = finished?.failure
    ? `failed (${toOneLine(finished.failure.message)})`
    : (OUTCOMES[finished?.outcome ?? ""] ?? "");
  return new SignalboxError(
    "TOO_LATE",
    `${formatAgentName(started)} (${toOneLine(started.key)}) is no longer running: it ${how} at ${formatTime(finished?.ts ?? now, now)}.`,
    "The command had no effect. List running agents with `signalbox status`.",
  );
}

const OUTCOMES: Readonly<Record<string, string>> = { done: "answered", interrupted: "was interrupted" };
