import type { Failure } from "../../core/failure/failure.ts";
import type { Usage } from "../../core/journal/effect.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import type { ProcessExit } from "../../core/ports/processes.ts";
import { failureOfExit, incomplete } from "../outcome.ts";
import { findPlainFailure } from "../plain-failure.ts";
import { reportedFailure } from "../reported-failure.ts";
import type { Reader } from "../turn.ts";
import { type ClaudeBlock, type ClaudeEvent, type ClaudeResult, parseClaudeEvent } from "./claude-event.ts";

/**
 * Reads one attempt. It succeeded if the `result` is no error and the exit code is 0. The answer is the text of the
 * result.
 */
export function createClaudeReader(agent: string): Reader {
  const state: TurnState = {};
  return {
    line(line) {
      const event = parseClaudeEvent(line);
      if (!event) return [];
      updateState(state, event);
      return toAgentEvents(event);
    },
    end: (exit) => createFinalEvent(agent, state, exit),
  };
}

type TurnState = {
  session?: string;
  result?: ClaudeResult;
  /** The kind of failure, from the last message that replaced a failed request. */
  error?: string;
  /** End of an exhausted usage window, in milliseconds. */
  wakeAt?: number;
};

function updateState(state: TurnState, event: ClaudeEvent): void {
  if (event.type === "system" && event.subtype === "init") state.session = event.session_id;
  if (event.type === "result" && isFinalResult(state, event)) state.result = event;
  if (event.type === "assistant" && event.error !== undefined) state.error = event.error;
  if (event.type !== "rate_limit_event" || event.rate_limit_info.status !== "rejected") return;
  const { resetsAt } = event.rate_limit_info;
  if (typeof resetsAt === "number") state.wakeAt = resetsAt * 1_000;
}

/** An error is final, and a result of another session does not belong to this turn. */
function isFinalResult({ session, result }: TurnState, next: ClaudeResult): boolean {
  return (result === undefined || isSuccess(result)) && (session === undefined || next.session_id === session);
}

function toAgentEvents(event: ClaudeEvent): readonly AgentEvent[] {
  if (event.type === "assistant") {
    // The message of a failed request looks like one of the model.
    if (event.error !== undefined) return [];
    const own = typeof event.parent_tool_use_id !== "string";
    return event.message.content.flatMap((block) => toBlockEvents(block, own));
  }
  if (event.type === "refused") return [{ type: "tool.used", name: `${event.tool} (refused)`, detail: event.why }];
  if (event.type !== "system") return [];
  if (event.subtype === "api_retry") return [createThrottledEvent(event)];
  if (event.subtype === "init") return [{ type: "session.opened", session: event.session_id }];
  return [{ type: "tool.used", name: `${event.tool_name} (refused)`, detail: event.message }];
}

/** Messages of subagents are not reported. */
function toBlockEvents(block: ClaudeBlock, own: boolean): readonly AgentEvent[] {
  if ("text" in block) return own ? [{ type: "message.added", text: block.text }] : [];
  if (!("name" in block)) return [];
  const detail = DETAIL_FIELDS.map((key) => block.input[key]).find((value) => typeof value === "string");
  return [{ type: "tool.used", name: block.name, ...(detail === undefined ? {} : { detail }) }];
}

const DETAIL_FIELDS = ["command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description"];

function createThrottledEvent(event: Extract<ClaudeEvent, { subtype: "api_retry" }>): AgentEvent {
  const what = [event.error_status, event.error].filter((part) => part !== null && part !== undefined).join(" ");
  const message = `API Error: ${what || "unknown"} (try ${event.attempt} of ${event.max_retries})`;
  return { type: "turn.throttled", message, waitMs: event.retry_delay_ms };
}

function createFinalEvent(agent: string, state: TurnState, exit: ProcessExit): AgentEvent {
  const { result } = state;
  const usage = result === undefined ? {} : { usage: readUsage(result) };
  if (result && isSuccess(result) && exit.code === 0) {
    const answer = result.structured_output === undefined ? {} : { answer: result.structured_output };
    return { type: "turn.finished", text: result.result ?? "", session: result.session_id, ...usage, ...answer };
  }
  const failure =
    (result && !isSuccess(result) ? createFailure(agent, result, state) : undefined) ??
    findPlainFailure(agent, exit, Date.now()) ??
    failureOfExit(agent, exit) ??
    incomplete(agent, exit);
  return { type: "turn.failed", failure, ...usage };
}

/** A failed request has the subtype `success` too; only `is_error` differs. */
function isSuccess(result: ClaudeResult): boolean {
  return result.subtype === "success" && !result.is_error;
}

function createFailure(agent: string, result: ClaudeResult, { error, wakeAt }: TurnState): Failure {
  const message = result.result || result.errors?.join("; ") || result.subtype;
  const kind = result.subtype === "success" ? error : result.subtype;
  const status = result.api_error_status ?? undefined;
  if (wakeAt === undefined) return reportedFailure(agent, { message, kind, status }, Date.now());
  return reportedFailure(agent, { message, kind: "usage_limit_reached", wakeAt }, Date.now());
}

/**
 * The total cost covers the whole conversation, including resumed turns; the costs of this turn are listed by model.
 */
function readUsage(result: ClaudeResult): Usage {
  const { usage, model_usage_since_last_result: models, total_cost_usd: total } = result;
  const usd = models ? Object.values(models).reduce((sum, { costUSD }) => sum + costUSD, 0) : total;
  const read =
    usage && usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  return {
    ...(usage && read !== undefined ? { inputTokens: read, outputTokens: usage.output_tokens } : {}),
    ...(usd === undefined ? {} : { usd }),
  };
}
