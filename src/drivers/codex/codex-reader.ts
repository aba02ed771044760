import { SAID_CHARACTERS } from "../../core/failure/failure.ts";
import type { Usage } from "../../core/journal/effect.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import type { ProcessExit } from "../../core/ports/processes.ts";
import { failureOfExit, incomplete } from "../outcome.ts";
import { findPlainFailure } from "../plain-failure.ts";
import { reportedFailure } from "../reported-failure.ts";
import type { Reader } from "../turn.ts";
import { type CodexEvent, type CodexItem, parseCodexEvent } from "./codex-event.ts";
import { type TokenUsage, toTokenUsage } from "./spent-usage.ts";

/**
 * Reads one turn. It succeeded if it has `turn.completed`, no error and exit code 0. The answer is the last message
 * before it.
 */
export function createCodexReader(agent: string, spentBefore: () => TokenUsage | undefined): Reader {
  const state: TurnState = { message: "", completed: false };
  return {
    line(line) {
      const event = parseCodexEvent(line);
      if (!event) return [];
      updateState(state, event);
      return toAgentEvents(event);
    },
    isDone: () => state.completed,
    end: (exit) => createFinalEvent(agent, { ...state, ...subtractUsage(state.total, spentBefore) }, exit),
  };
}

type TurnState = { message: string; completed: boolean; session?: string; total?: TokenUsage; error?: string };

/** Codex reports the usage of the whole conversation. */
function subtractUsage(total: TokenUsage | undefined, spentBefore: () => TokenUsage | undefined): { usage?: Usage } {
  const before = total && spentBefore();
  if (!total || !before) return {};
  const { inputTokens, outputTokens } = total;
  return {
    usage: { inputTokens: inputTokens - before.inputTokens, outputTokens: outputTokens - before.outputTokens },
  };
}

function updateState(state: TurnState, event: CodexEvent): void {
  if (event.type === "thread.started") state.session = event.thread_id;
  if (event.type === "turn.completed") {
    state.completed = true;
    if (event.usage) state.total = toTokenUsage(event.usage);
  }
  if (event.type === "item.completed" && event.item.type === "agent_message") state.message = event.item.text;
  if (event.type === "turn.failed") state.error = event.error.message;
  if (event.type === "error" && !isReconnect(event.message)) state.error ??= event.message;
}

function toAgentEvents(event: CodexEvent): readonly AgentEvent[] {
  if (event.type === "error" && isReconnect(event.message)) {
    return [{ type: "turn.throttled", message: event.message }];
  }
  if (event.type === "thread.started") return [{ type: "session.opened", session: event.thread_id }];
  if (event.type === "item.started")
    return event.item.type === "command_execution" ? [createToolEvent(event.item)] : [];
  if (event.type !== "item.completed" || event.item.type === "command_execution") return [];
  if (event.item.type === "agent_message") return [{ type: "message.added", text: event.item.text }];
  return [createToolEvent(event.item)];
}

function createToolEvent(item: Exclude<CodexItem, { type: "agent_message" }>): AgentEvent {
  if (item.type === "command_execution") return { type: "tool.used", name: "shell", detail: item.command };
  if (item.type === "mcp_tool_call") return { type: "tool.used", name: `${item.server}.${item.tool}` };
  if (item.type === "web_search") return { type: "tool.used", name: item.type, detail: item.query };
  return { type: "tool.used", name: item.type, detail: item.changes.map(({ path }) => path).join(", ") };
}

/** Codex announces its own retries with the same event as the final error. */
function isReconnect(message: string): boolean {
  return message.startsWith("Reconnecting...");
}

function createFinalEvent(agent: string, state: TurnState & { usage?: Usage }, exit: ProcessExit): AgentEvent {
  const usage = state.usage === undefined ? {} : { usage: state.usage };
  if (state.error === undefined && state.completed && exit.code === 0) {
    const session = state.session === undefined ? {} : { session: state.session };
    return { type: "turn.finished", text: state.message, ...usage, ...session };
  }
  const failure =
    (state.error === undefined ? undefined : reportedFailure(agent, { message: state.error }, Date.now())) ??
    findPlainFailure(agent, exit, Date.now()) ??
    failureOfExit(agent, exit) ??
    incomplete(agent, exit);
  const last = state.message === "" ? {} : { last: state.message.slice(-SAID_CHARACTERS) };
  return { type: "turn.failed", failure: { ...failure, ...last }, ...usage };
}
