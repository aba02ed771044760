import { z } from "zod";
import { CLIENT_MARK } from "../agent-process.ts";

/** The input of the client, as JSON on standard input. */
export type ClientOrder = {
  readonly command: string;
  readonly args: readonly string[];
  readonly prompt: string;
  readonly session?: { readonly id: string; readonly by: "load" | "resume" };
  readonly auth?: string;
  readonly mode?: string;
  /** A session option and its value. */
  readonly option?: { readonly id: string; readonly value: string };
};

/** Lines that the client writes itself. All other lines on its standard output are the agent's, unchanged. */
const ClientLine = z.discriminatedUnion("client", [
  z.object({ client: z.literal("session"), id: z.string() }),
  /** Earlier lines do not belong to this turn: a loaded session replays its history. */
  z.object({ client: z.literal("prompting") }),
  z.object({ client: z.literal("refused"), tool: z.string(), why: z.string() }),
  z.object({ client: z.literal("stopped"), response: z.looseObject({ stopReason: z.string() }) }),
  z.object({
    client: z.literal("failed"),
    code: z.number().optional(),
    message: z.string(),
    data: z.unknown().optional(),
  }),
]);
export type ClientLine = z.input<typeof ClientLine>;

const Chunk = z.object({
  content: z.object({ type: z.string(), text: z.string().optional() }),
  messageId: z.string().nullish(),
});
const ToolCall = z.object({ toolCallId: z.string(), title: z.string(), kind: z.string().nullish() });
const SessionUpdate = z.discriminatedUnion("sessionUpdate", [
  Chunk.extend({ sessionUpdate: z.literal("agent_message_chunk") }),
  ToolCall.extend({ sessionUpdate: z.literal("tool_call") }),
  z.object({
    sessionUpdate: z.literal("usage_update"),
    cost: z.object({ amount: z.number(), currency: z.string() }).nullish(),
  }),
]);
export type AgentUpdate = z.infer<typeof SessionUpdate>;

const Params = z.object({ sessionId: z.string().optional() });
const AgentMessage = z.discriminatedUnion("method", [
  z.object({ method: z.literal("session/update"), params: Params.extend({ update: SessionUpdate }) }),
  z.object({ method: z.literal("session/request_permission"), params: Params.extend({ toolCall: ToolCall }) }),
]);

/**
 * Uses `catch` instead of a failed parse: the errors of many unknown lines are garbage-collected too late and fill the
 * memory.
 */
const KnownLine = ClientLine.optional().catch(undefined);
const KnownMessage = AgentMessage.optional().catch(undefined);

/** The agent's own end of turn, which the client reports a moment later. */
const TurnEnd = z.object({ result: z.object({ stopReason: z.string() }) });
const KnownEnd = TurnEnd.optional().catch(undefined);

type UpdateLine = {
  readonly client: "update";
  readonly session: string | undefined;
  readonly update: AgentUpdate;
};
export type AcpLine = z.infer<typeof ClientLine> | UpdateLine | { readonly client: "ended" };

/** Returns undefined for noise, truncated lines and irrelevant messages. */
export function parseAcpLine(line: string): AcpLine | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (line.startsWith(CLIENT_MARK)) return KnownLine.parse(value);
    const message = KnownMessage.parse(value);
    if (!message) return KnownEnd.parse(value) && { client: "ended" };
    const session = message.params.sessionId;
    if (message.method === "session/update") return { client: "update", session, update: message.params.update };
    // Some programs request permission for a tool before they report the call.
    return { client: "update", session, update: { sessionUpdate: "tool_call", ...message.params.toolCall } };
  } catch {
    return undefined;
  }
}
