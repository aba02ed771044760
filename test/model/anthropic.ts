import { z } from "zod";
import type { Reply, WireApi } from "./play.ts";
import { ToolSchema, toolWith } from "./tool-schema.ts";

/** Anthropic's Messages API, as far as a coding agent uses it. */
export function anthropicApi(): WireApi {
  return {
    endpoints: ["/messages"],
    read(body) {
      const { tools, messages, stream } = Request.parse(body);
      const prompts = messages
        .filter((message) => message.role === "user")
        .map(({ content }) => readText(content ?? ""));
      return {
        // The API's own tools, such as its web search, have no schema, and a client cannot run them.
        tools: tools.flatMap((tool) => (tool.input_schema ? [toolWith(tool.name, tool.input_schema)] : [])),
        prompt: prompts.at(-1) ?? "",
        prompts,
        results: messages.flatMap(({ content }) => (typeof content === "string" ? [] : content)).filter(isResult)
          .length,
        stream,
      };
    },
    frames: (reply) => listEvents(reply).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
    whole: (reply) => ({ ...message(), content: [blockOf(reply)], stop_reason: stopOf(reply), usage: USAGE }),
    refusal: (status, text) => ({ type: "error", error: { type: REFUSALS[status] ?? "api_error", message: text } }),
  };
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

function readText(content: string | readonly z.infer<typeof Part>[]): string {
  return typeof content === "string" ? content : content.flatMap((part) => part.text ?? []).join("\n");
}

const Part = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
const Request = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string(), input_schema: ToolSchema.optional() })).default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Part)]) })).default([]),
  stream: z.boolean().default(false),
});

function isResult({ type }: z.infer<typeof Part>): boolean {
  return type === "tool_result";
}

type Block = { readonly type: "text"; readonly text: string } | ToolUse;
type ToolUse = { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

function blockOf(reply: Reply): Block {
  if ("say" in reply) return { type: "text", text: reply.say };
  // Its tools take JSON only, so a free text never gets here.
  return { type: "tool_use", id: createId("toolu"), name: reply.call, input: "args" in reply ? reply.args : {} };
}

function stopOf(reply: Reply): string {
  return "say" in reply ? "end_turn" : "tool_use";
}

function listEvents(reply: Reply): readonly { readonly type: string; readonly [field: string]: unknown }[] {
  const block = blockOf(reply);
  const start = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  const delta =
    block.type === "text"
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  return [
    { type: "message_start", message: { ...message(), usage: { ...USAGE, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stopOf(reply), stop_sequence: null }, usage: USAGE },
    { type: "message_stop" },
  ];
}

function message() {
  return {
    id: createId("msg"),
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function createId(kind: string): string {
  return `${kind}_${crypto.randomUUID().replaceAll("-", "")}`;
}
