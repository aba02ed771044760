import { z } from "zod";
import { CLIENT_MARK } from "../agent-process.ts";

/** What the client is told, as JSON on its standard input. */
export type ClientOrder = {
  readonly command: string;
  readonly args: readonly string[];
  readonly prompt: string;
  readonly session?: { readonly id: string; readonly by: "load" | "resume" };
  readonly auth?: string;
  readonly mode?: string;
  /** An option of the session and its value. */
  readonly option?: { readonly id: string; readonly value: string };
};

/** The client's own lines. All others on its standard output are what the agent has sent, as it is. */
const ClientLine = z.discriminatedUnion("client", [
  z.object({ client: z.literal("session"), id: z.string() }),
  /** What came before is not of this turn: a loaded session tells its whole past again. */
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
const Update = z.discriminatedUnion("sessionUpdate", [
  Chunk.extend({ sessionUpdate: z.literal("agent_message_chunk") }),
  ToolCall.extend({ sessionUpdate: z.literal("tool_call") }),
  z.object({
    sessionUpdate: z.literal("usage_update"),
    cost: z.object({ amount: z.number(), currency: z.string() }).nullish(),
  }),
]);
export type AgentUpdate = z.infer<typeof Update>;

const AgentMessage = z.discriminatedUnion("method", [
  z.object({ method: z.literal("session/update"), params: z.object({ update: Update }) }),
  z.object({ method: z.literal("session/request_permission"), params: z.object({ toolCall: ToolCall }) }),
]);

export type AcpLine = z.infer<typeof ClientLine> | { readonly client: "update"; readonly update: AgentUpdate };

/** Undefined for noise, cut lines and messages of no interest. */
export function acpLine(line: string): AcpLine | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (line.startsWith(CLIENT_MARK)) return ClientLine.safeParse(value).data;
    const message = AgentMessage.safeParse(value).data;
    if (!message) return undefined;
    if (message.method === "session/update") return { client: "update", update: message.params.update };
    // Some ask for a tool before they name it.
    return { client: "update", update: { sessionUpdate: "tool_call", ...message.params.toolCall } };
  } catch {
    return undefined;
  }
}
