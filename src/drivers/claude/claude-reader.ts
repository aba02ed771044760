import type { Failure } from "../../core/failure/failure.ts";
import type { Usage } from "../../core/journal/effect.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import type { ProcessExit } from "../../core/ports/processes.ts";
import { failureOfExit, incomplete } from "../outcome.ts";
import { plainFailure } from "../plain-failure.ts";
import { reportedFailure } from "../said-failure.ts";
import type { Reader } from "../turn.ts";
import { type ClaudeBlock, type ClaudeEvent, type ClaudeResult, claudeEvent } from "./claude-event.ts";

/** Reads one attempt. Success is a `result` that is no error, and exit 0; the answer is that result's text. */
export function claudeReader(agent: string): Reader {
  const state: TurnState = {};
  return {
    line(line) {
      const event = claudeEvent(line);
      if (!event) return [];
      remember(state, event);
      return agentEvents(event);
    },
    end: (exit) => finalEvent(agent, state, exit),
  };
}

type TurnState = {
  session?: string;
  result?: ClaudeResult;
  /** The name of the kind of failure, on the last message that stood for one. */
  error?: string;
  /** A used-up window's end, in milliseconds. */
  wakeAt?: number;
};

function remember(state: TurnState, event: ClaudeEvent): void {
  if (event.type === "system" && event.subtype === "init") state.session = event.session_id;
  if (event.type === "result" && isLastWord(state, event)) state.result = event;
  if (event.type === "assistant" && event.error !== undefined) state.error = event.error;
  if (event.type !== "rate_limit_event" || event.rate_limit_info.status !== "rejected") return;
  const { resetsAt } = event.rate_limit_info;
  if (typeof resetsAt === "number") state.wakeAt = resetsAt * 1_000;
}

/** An error stays one whatever is said afterwards, and another session's result is not this turn's. */
function isLastWord({ session, result }: TurnState, next: ClaudeResult): boolean {
  return (result === undefined || isSuccess(result)) && (session === undefined || next.session_id === session);
}

function agentEvents(event: ClaudeEvent): readonly AgentEvent[] {
  if (event.type === "assistant") {
    // It speaks of a failed request as if the model had said so.
    if (event.error !== undefined) return [];
    const own = typeof event.parent_tool_use_id !== "string";
    return event.message.content.flatMap((block) => blockEvents(block, own));
  }
  if (event.type === "refused") return [{ type: "tool.used", name: `${event.tool} (refused)`, detail: event.why }];
  if (event.type !== "system") return [];
  if (event.subtype === "api_retry") return [throttled(event)];
  if (event.subtype === "init") return [{ type: "session.opened", session: event.session_id }];
  return [{ type: "tool.used", name: `${event.tool_name} (refused)`, detail: event.message }];
}

/** What its own helpers say is for the agent and nobody else. */
function blockEvents(block: ClaudeBlock, own: boolean): readonly AgentEvent[] {
  if ("text" in block) return own ? [{ type: "message.added", text: block.text }] : [];
  if (!("name" in block)) return [];
  const detail = TOLD.map((key) => block.input[key]).find((value) => typeof value === "string");
  return [{ type: "tool.used", name: block.name, ...(detail === undefined ? {} : { detail }) }];
}

const TOLD = ["command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description"];

function throttled(event: Extract<ClaudeEvent, { subtype: "api_retry" }>): AgentEvent {
  const what = [event.error_status, event.error].filter((part) => part !== null && part !== undefined).join(" ");
  const message = `API Error: ${what || "unknown"} (try ${event.attempt} of ${event.max_retries})`;
  return { type: "turn.throttled", message, waitMs: event.retry_delay_ms };
}

function finalEvent(agent: string, state: TurnState, exit: ProcessExit): AgentEvent {
  const { result } = state;
  const usage = result === undefined ? {} : { usage: usageOf(result) };
  if (result && isSuccess(result) && exit.code === 0) {
    const answer = result.structured_output === undefined ? {} : { answer: result.structured_output };
    return { type: "turn.finished", text: result.result ?? "", session: result.session_id, ...usage, ...answer };
  }
  const failure =
    (result && !isSuccess(result) ? failureOf(agent, result, state) : undefined) ??
    plainFailure(agent, exit, Date.now()) ??
    failureOfExit(agent, exit) ??
    incomplete(agent, exit);
  return { type: "turn.failed", failure, ...usage };
}

/** A failed request is a `success` too, and only `is_error` tells. */
function isSuccess(result: ClaudeResult): boolean {
  return result.subtype === "success" && !result.is_error;
}

function failureOf(agent: string, result: ClaudeResult, { error, wakeAt }: TurnState): Failure {
  const message = result.result || result.errors?.join("; ") || result.subtype;
  const kind = result.subtype === "success" ? error : result.subtype;
  const status = result.api_error_status ?? undefined;
  if (wakeAt === undefined) return reportedFailure(agent, { message, kind, status }, Date.now());
  return reportedFailure(agent, { message, kind: "usage_limit_reached", wakeAt }, Date.now());
}

/** Costs are a sum over the whole conversation, which a resumed one goes on with; this turn's are listed by model. */
function usageOf(result: ClaudeResult): Usage {
  const { usage, model_usage_since_last_result: models, total_cost_usd: total } = result;
  const usd = models ? Object.values(models).reduce((sum, { costUSD }) => sum + costUSD, 0) : total;
  const read =
    usage && usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  return {
    ...(usage && read !== undefined ? { inputTokens: read, outputTokens: usage.output_tokens } : {}),
    ...(usd === undefined ? {} : { usd }),
  };
}
