import { z } from "zod";
import { type Failure, SAID_CHARACTERS } from "../../core/failure/failure.ts";
import type { Usage } from "../../core/journal/effect.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import type { ProcessExit } from "../../core/ports/processes.ts";
import { failureOfExit, incomplete } from "../outcome.ts";
import { findPlainFailure } from "../plain-failure.ts";
import { reportedFailure } from "../reported-failure.ts";
import type { Reader } from "../turn.ts";
import { type AcpLine, type AgentUpdate, parseAcpLine } from "./client-line.ts";
import type { AcpProfile } from "./profile.ts";

type StopResponse = Extract<AcpLine, { client: "stopped" }>["response"];
type ClientFailure = Extract<AcpLine, { client: "failed" }>;

type TurnState = {
  session?: string;
  prompted: boolean;
  /** The turn is over; later lines do not change its result. */
  ended: boolean;
  /** The current message, assembled from chunks. */
  message: string;
  messageId?: string | null | undefined;
  readonly tools: Set<string>;
  /** Cost of the session before this turn, and in total. */
  costBefore: number;
  cost?: number;
  stopped?: StopResponse;
  failed?: ClientFailure;
};

/**
 * Reads one attempt. It succeeded if the turn ended, its answer is no disguised failure and the exit code is 0. The
 * answer is the last message.
 */
export function createAcpReader(agent: string, profile: AcpProfile): Reader {
  const state: TurnState = { prompted: false, ended: false, message: "", tools: new Set(), costBefore: 0 };
  return {
    line(text) {
      const line = parseAcpLine(text);
      if (line?.client === "session") return openSession(state, line.id, profile);
      return line ? handleLine(state, line) : [];
    },
    end: (exit) => createFinalEvent({ agent, profile, state, exit }),
  };
}

function handleLine(state: TurnState, line: Exclude<AcpLine, { client: "session" }>): readonly AgentEvent[] {
  if (line.client === "update") return isOwn(state, line.session) ? handleUpdate(state, line.update) : [];
  if (line.client === "prompting") beginPrompt(state);
  if (line.client === "ended") state.ended = state.prompted;
  if (line.client === "failed") state.failed = line;
  if (line.client === "refused") return [{ type: "tool.used", name: `${line.tool} (refused)`, detail: line.why }];
  if (line.client !== "stopped") return [];
  state.stopped = line.response;
  return takeMessage(state);
}

function openSession(state: TurnState, session: string, { resume }: AcpProfile): readonly AgentEvent[] {
  state.session = session;
  return resume === undefined ? [] : [{ type: "session.opened", session }];
}

/** A message of another session does not belong to this agent: it comes from a subagent or is forged. */
function isOwn({ session }: TurnState, named: string | undefined): boolean {
  return session === undefined || named === undefined || named === session;
}

/** A loaded session replays its history, which does not belong to this turn. */
function beginPrompt(state: TurnState): void {
  state.prompted = true;
  state.message = "";
  state.costBefore = state.cost ?? 0;
}

function handleUpdate(state: TurnState, update: AgentUpdate): readonly AgentEvent[] {
  if (update.sessionUpdate === "usage_update") {
    if (update.cost?.currency === "USD") state.cost = update.cost.amount;
    return [];
  }
  if (!state.prompted || state.ended) return [];
  if (update.sessionUpdate === "tool_call") {
    if (state.tools.has(update.toolCallId)) return [];
    state.tools.add(update.toolCallId);
    const before = takeMessage(state);
    state.message = "";
    return [...before, { type: "tool.used", name: update.kind ?? "tool", detail: update.title }];
  }
  const another = update.messageId !== state.messageId;
  const before = another ? takeMessage(state) : [];
  state.message = (another ? "" : state.message) + (update.content.text ?? "");
  state.messageId = update.messageId;
  return before;
}

function takeMessage({ message }: TurnState): readonly AgentEvent[] {
  return message.trim() === "" ? [] : [{ type: "message.added", text: message }];
}

type FinishedAttempt = {
  readonly agent: string;
  readonly profile: AcpProfile;
  readonly state: TurnState;
  readonly exit: ProcessExit;
};

function createFinalEvent(attempt: FinishedAttempt): AgentEvent {
  const { agent, profile, state, exit } = attempt;
  const spent = readUsage(state);
  const usage = spent === undefined ? {} : { usage: spent };
  const failure = findFailure(attempt);
  if (failure === undefined) {
    const session = profile.resume && state.session !== undefined ? { session: state.session } : {};
    return { type: "turn.finished", text: state.message, ...usage, ...session };
  }
  const last = state.message === "" ? {} : { last: state.message.slice(-SAID_CHARACTERS) };
  const plain = UNEXPLAINED.has(failure.code) ? findPlainFailure(agent, exit, Date.now()) : undefined;
  return { type: "turn.failed", failure: { ...(plain ?? failure), ...last }, ...usage };
}

/** Failures that the protocol does not explain; the reason is then in the other output. */
const UNEXPLAINED: ReadonlySet<string> = new Set(["agent_crashed", "agent_incomplete"]);

function findFailure({ agent, profile, state, exit }: FinishedAttempt): Failure | undefined {
  const { stopped, failed } = state;
  if (failed) return createClientFailure(agent, failed);
  if (!stopped || exit.code !== 0) return failureOfExit(agent, exit) ?? incomplete(agent, exit);
  if (stopped.stopReason !== "end_turn") return createStopFailure(agent, stopped.stopReason, exit);
  // Some programs end a turn normally although its request failed, and report that only in place of the answer.
  const disguised =
    profile["failure-texts"].some((pattern) => new RegExp(pattern).test(state.message.trimStart())) ||
    SystemError.safeParse(stopped).success ||
    (profile["fails-without-usage"] && readTokens(stopped) === undefined);
  if (!disguised) return undefined;
  return reportedFailure(agent, { message: state.message || "the turn ended without reaching a model" }, Date.now());
}

function createStopFailure(agent: string, reason: string, exit: ProcessExit): Failure {
  if (reason === "cancelled") return incomplete(agent, exit);
  const message = `it stopped early (${reason})`;
  return reportedFailure(agent, { message, kind: reason === "max_tokens" ? "max_output_tokens" : reason }, Date.now());
}

/** Error details that programs add to the message. */
const ErrorDetails = z.union([
  z.string().transform((details) => ({ details, errorKind: undefined })),
  z.looseObject({ details: z.string().optional(), errorKind: z.string().optional() }),
]);

/** The protocol's code for a required login. Other codes are in its reserved range or are HTTP statuses. */
const AUTH_REQUIRED = -32_000;

function createClientFailure(agent: string, { code, message, data }: ClientFailure): Failure {
  const { details, errorKind } = ErrorDetails.safeParse(data).data ?? {};
  const status = code !== undefined && code >= 400 && code < 600 ? code : undefined;
  const kind = code === AUTH_REQUIRED ? "authentication_failed" : errorKind;
  const whole = details === undefined || message.includes(details) ? message : `${message}: ${details}`;
  return reportedFailure(agent, { message: whole, status, kind }, Date.now());
}

const SystemError = z.object({
  _meta: z.object({ codex: z.object({ threadStatus: z.object({ type: z.literal("systemError") }) }) }),
});
const Tokens = z.object({ usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }) });
const Quota = z.object({
  _meta: z.object({
    quota: z.object({ token_count: z.object({ input_tokens: z.number(), output_tokens: z.number() }) }),
  }),
});

function readTokens(response: StopResponse): Usage | undefined {
  const usage = Tokens.safeParse(response).data?.usage;
  if (usage) return { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
  const count = Quota.safeParse(response).data?._meta.quota.token_count;
  return count && { inputTokens: count.input_tokens, outputTokens: count.output_tokens };
}

function readUsage({ stopped, cost, costBefore }: TurnState): Usage | undefined {
  const tokens = stopped && readTokens(stopped);
  if (tokens === undefined && cost === undefined) return undefined;
  return { ...tokens, ...(cost === undefined ? {} : { usd: Math.max(cost - costBefore, 0) }) };
}
