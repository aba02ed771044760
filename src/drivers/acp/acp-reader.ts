import { z } from "zod";
import { type Failure, SAID_CHARACTERS } from "../../core/failure/failure.ts";
import type { Usage } from "../../core/journal/effect.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import type { ProcessExit } from "../../core/ports/processes.ts";
import { failureOfExit, incomplete } from "../outcome.ts";
import { plainFailure } from "../plain-failure.ts";
import { reportedFailure } from "../said-failure.ts";
import type { Reader } from "../turn.ts";
import { type AcpLine, type AgentUpdate, acpLine } from "./client-line.ts";
import type { AcpProfile } from "./profile.ts";

type StopResponse = Extract<AcpLine, { client: "stopped" }>["response"];
type ClientFailure = Extract<AcpLine, { client: "failed" }>;

type TurnState = {
  session?: string;
  prompted: boolean;
  /** The turn is over: what comes now changes nothing that was said in it. */
  ended: boolean;
  /** The message that is being said, in pieces. */
  message: string;
  messageId?: string | null | undefined;
  readonly tools: Set<string>;
  /** What the session has cost before this turn and in all. */
  costBefore: number;
  cost?: number;
  stopped?: StopResponse;
  failed?: ClientFailure;
};

/** Reads one attempt. Success is the end of the turn, no failure in disguise, exit 0; the answer is the last message. */
export function acpReader(agent: string, profile: AcpProfile): Reader {
  const state: TurnState = { prompted: false, ended: false, message: "", tools: new Set(), costBefore: 0 };
  return {
    line(text) {
      const line = acpLine(text);
      if (line?.client === "session") return opened(state, line.id, profile);
      return line ? take(state, line) : [];
    },
    end: (exit) => finalEvent({ agent, profile, state, exit }),
  };
}

function take(state: TurnState, line: Exclude<AcpLine, { client: "session" }>): readonly AgentEvent[] {
  if (line.client === "update") return isOwn(state, line.session) ? update(state, line.update) : [];
  if (line.client === "prompting") begin(state);
  if (line.client === "ended") state.ended = state.prompted;
  if (line.client === "failed") state.failed = line;
  if (line.client === "refused") return [{ type: "tool.used", name: `${line.tool} (refused)`, detail: line.why }];
  if (line.client !== "stopped") return [];
  state.stopped = line.response;
  return spoken(state);
}

function opened(state: TurnState, session: string, { resume }: AcpProfile): readonly AgentEvent[] {
  state.session = session;
  return resume === undefined ? [] : [{ type: "session.opened", session }];
}

/** What is said in another session is not this agent's: that of a helper, or a forgery. */
function isOwn({ session }: TurnState, named: string | undefined): boolean {
  return session === undefined || named === undefined || named === session;
}

/** A session that was loaded has told its past: none of that is this turn's. */
function begin(state: TurnState): void {
  state.prompted = true;
  state.message = "";
  state.costBefore = state.cost ?? 0;
}

function update(state: TurnState, said: AgentUpdate): readonly AgentEvent[] {
  if (said.sessionUpdate === "usage_update") {
    if (said.cost?.currency === "USD") state.cost = said.cost.amount;
    return [];
  }
  if (!state.prompted || state.ended) return [];
  if (said.sessionUpdate === "tool_call") {
    if (state.tools.has(said.toolCallId)) return [];
    state.tools.add(said.toolCallId);
    const before = spoken(state);
    state.message = "";
    return [...before, { type: "tool.used", name: said.kind ?? "tool", detail: said.title }];
  }
  const another = said.messageId !== state.messageId;
  const before = another ? spoken(state) : [];
  state.message = (another ? "" : state.message) + (said.content.text ?? "");
  state.messageId = said.messageId;
  return before;
}

function spoken({ message }: TurnState): readonly AgentEvent[] {
  return message.trim() === "" ? [] : [{ type: "message.added", text: message }];
}

type Attempt = {
  readonly agent: string;
  readonly profile: AcpProfile;
  readonly state: TurnState;
  readonly exit: ProcessExit;
};

function finalEvent(attempt: Attempt): AgentEvent {
  const { agent, profile, state, exit } = attempt;
  const spent = usageOf(state);
  const usage = spent === undefined ? {} : { usage: spent };
  const failure = failureOf(attempt);
  if (failure === undefined) {
    const session = profile.resume && state.session !== undefined ? { session: state.session } : {};
    return { type: "turn.finished", text: state.message, ...usage, ...session };
  }
  const last = state.message === "" ? {} : { last: state.message.slice(-SAID_CHARACTERS) };
  const told = UNTOLD.has(failure.code) ? plainFailure(agent, exit, Date.now()) : undefined;
  return { type: "turn.failed", failure: { ...(told ?? failure), ...last }, ...usage };
}

/** Ends of which the protocol says nothing; the reason then stands among what was printed beside it. */
const UNTOLD: ReadonlySet<string> = new Set(["agent_crashed", "agent_incomplete"]);

function failureOf({ agent, profile, state, exit }: Attempt): Failure | undefined {
  const { stopped, failed } = state;
  if (failed) return refusal(agent, failed);
  if (!stopped || exit.code !== 0) return failureOfExit(agent, exit) ?? incomplete(agent, exit);
  if (stopped.stopReason !== "end_turn") return stoppedEarly(agent, stopped.stopReason, exit);
  // Some end a turn whose request failed like any other, and say so only in the place of an answer.
  const disguised =
    profile["failure-texts"].some((pattern) => new RegExp(pattern).test(state.message.trimStart())) ||
    SystemError.safeParse(stopped).success ||
    (profile["fails-without-usage"] && tokensOf(stopped) === undefined);
  if (!disguised) return undefined;
  return reportedFailure(
    agent,
    { message: state.message || "the turn ended without having reached a model" },
    Date.now(),
  );
}

function stoppedEarly(agent: string, reason: string, exit: ProcessExit): Failure {
  if (reason === "cancelled") return incomplete(agent, exit);
  const message = `it stopped before its end (${reason})`;
  return reportedFailure(agent, { message, kind: reason === "max_tokens" ? "max_output_tokens" : reason }, Date.now());
}

/** What programs put beside the message of an error. */
const Details = z.union([
  z.string().transform((details) => ({ details, errorKind: undefined })),
  z.looseObject({ details: z.string().optional(), errorKind: z.string().optional() }),
]);

/** The protocol's own code for a login that is needed; others are in the range that it leaves free, or HTTP statuses. */
const AUTH_REQUIRED = -32_000;

function refusal(agent: string, { code, message, data }: ClientFailure): Failure {
  const { details, errorKind } = Details.safeParse(data).data ?? {};
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

function tokensOf(response: StopResponse): Usage | undefined {
  const usage = Tokens.safeParse(response).data?.usage;
  if (usage) return { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
  const count = Quota.safeParse(response).data?._meta.quota.token_count;
  return count && { inputTokens: count.input_tokens, outputTokens: count.output_tokens };
}

function usageOf({ stopped, cost, costBefore }: TurnState): Usage | undefined {
  const tokens = stopped && tokensOf(stopped);
  if (tokens === undefined && cost === undefined) return undefined;
  return { ...tokens, ...(cost === undefined ? {} : { usd: Math.max(cost - costBefore, 0) }) };
}
