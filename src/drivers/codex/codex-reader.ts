import type { Usage } from "../../core/effect.ts";
import { SAID_CHARACTERS } from "../../core/failure.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import type { ProcessExit } from "../../core/ports/processes.ts";
import { failureOfExit, incomplete } from "../outcome.ts";
import { knownFailure, saidFailure } from "../said-failure.ts";
import type { Reader } from "../turn.ts";
import { type CodexEvent, type CodexItem, codexEvent } from "./codex-event.ts";
import { type Spent, spentOf } from "./spent-before.ts";

/** Reads one turn. Success is `turn.completed`, no error, exit 0; the answer is the last message before it. */
export function codexReader(agent: string, spentBefore: () => Spent | undefined): Reader {
  const seen: Seen = { message: "", completed: false };
  return {
    line(line) {
      const event = codexEvent(line);
      if (!event) return [];
      remember(seen, event);
      return agentEvents(event);
    },
    isDone: () => seen.completed,
    end: (exit) => finalEvent(agent, { ...seen, ...ownUsage(seen.total, spentBefore) }, exit),
  };
}

type Seen = { message: string; completed: boolean; session?: string; total?: Spent; error?: string };

/** Codex counts a conversation from its first turn on. */
function ownUsage(total: Spent | undefined, spentBefore: () => Spent | undefined): { usage?: Usage } {
  const before = total && spentBefore();
  if (!total || !before) return {};
  const { inputTokens, outputTokens } = total;
  return {
    usage: { inputTokens: inputTokens - before.inputTokens, outputTokens: outputTokens - before.outputTokens },
  };
}

function remember(seen: Seen, event: CodexEvent): void {
  if (event.type === "thread.started") seen.session = event.thread_id;
  if (event.type === "turn.completed") {
    seen.completed = true;
    if (event.usage) seen.total = spentOf(event.usage);
  }
  if (event.type === "item.completed" && event.item.type === "agent_message") seen.message = event.item.text;
  if (event.type === "turn.failed") seen.error = event.error.message;
  if (event.type === "error" && !isReconnect(event.message)) seen.error ??= event.message;
}

function agentEvents(event: CodexEvent): readonly AgentEvent[] {
  if (event.type === "error" && isReconnect(event.message)) {
    return [{ type: "turn.throttled", message: event.message }];
  }
  if (event.type === "thread.started") return [{ type: "session.opened", session: event.thread_id }];
  if (event.type === "item.started") return event.item.type === "command_execution" ? [toolUsed(event.item)] : [];
  if (event.type !== "item.completed" || event.item.type === "command_execution") return [];
  if (event.item.type === "agent_message") return [{ type: "message.added", text: event.item.text }];
  return [toolUsed(event.item)];
}

function toolUsed(item: Exclude<CodexItem, { type: "agent_message" }>): AgentEvent {
  if (item.type === "command_execution") return { type: "tool.used", name: "shell", detail: item.command };
  if (item.type === "mcp_tool_call") return { type: "tool.used", name: `${item.server}.${item.tool}` };
  if (item.type === "web_search") return { type: "tool.used", name: item.type, detail: item.query };
  return { type: "tool.used", name: item.type, detail: item.changes.map(({ path }) => path).join(", ") };
}

/** Codex tries again by itself and says so with the same event that also announces the end. */
function isReconnect(message: string): boolean {
  return message.startsWith("Reconnecting...");
}

function finalEvent(agent: string, seen: Seen & { usage?: Usage }, exit: ProcessExit): AgentEvent {
  const usage = seen.usage === undefined ? {} : { usage: seen.usage };
  if (seen.error === undefined && seen.completed && exit.code === 0) {
    const session = seen.session === undefined ? {} : { session: seen.session };
    return { type: "turn.finished", text: seen.message, ...usage, ...session };
  }
  const failure =
    (seen.error === undefined ? undefined : saidFailure(agent, { message: seen.error }, Date.now())) ??
    (exit.code === 0 || exit.code === null ? undefined : knownFailure(agent, exit.stderrTail, Date.now())) ??
    failureOfExit(agent, exit) ??
    incomplete(agent, exit);
  const last = seen.message === "" ? {} : { last: seen.message.slice(-SAID_CHARACTERS) };
  return { type: "turn.failed", failure: { ...failure, ...last }, ...usage };
}
