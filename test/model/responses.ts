import { z } from "zod";
import type { OfferedTool, Reply, WireApi } from "./play.ts";

/** OpenAI's Responses API, streaming, as far as a coding agent uses it. */
export function responsesApi(): WireApi {
  return {
    endpoints: ["/responses"],
    read(body) {
      const request = Request.parse(body);
      const prompts = request.input.filter((item) => item.role === "user").map(readText);
      return {
        tools: request.tools.flatMap(offered),
        prompt: prompts.at(-1) ?? "",
        prompts,
        results: request.input.filter((item) => item.type?.endsWith("call_output")).length,
        stream: true,
      };
    },
    frames: (reply) => listEvents(toItem(reply)).map(formatFrame),
    whole: (reply) => ({
      id: createId("resp"),
      object: "response",
      status: "completed",
      output: [toItem(reply)],
      usage: USAGE,
    }),
    refusal: (status, message) => ({ error: { message, type: "scripted", code: status } }),
  };
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

const Tool = z.looseObject({ type: z.string(), name: z.string().optional() });
const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const Message = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: Content.nullish(),
});
const Request = z.looseObject({ tools: z.array(Tool).default([]), input: z.array(Message).default([]) });

type Item = Readonly<Record<string, unknown>> & { readonly id: string };
type StreamEvent = { readonly type: string; readonly [field: string]: unknown };

function offered(tool: z.infer<typeof Tool>): OfferedTool[] {
  return tool.name === undefined ? [] : [{ name: tool.name, custom: tool.type === "custom" }];
}

function readText({ content }: z.infer<typeof Message>): string {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n");
}

function toItem(reply: Reply): Item {
  if ("say" in reply) {
    const content = [{ type: "output_text", text: reply.say, annotations: [] }];
    return { type: "message", id: createId("msg"), role: "assistant", status: "completed", content };
  }
  const call = { call_id: createId("call"), name: reply.call, status: "completed" };
  if ("input" in reply) return { type: "custom_tool_call", id: createId("ctc"), ...call, input: reply.input };
  return { type: "function_call", id: createId("fc"), ...call, arguments: JSON.stringify(reply.args) };
}

/** Sends whole items without deltas: agents act on `output_item.done`, deltas only update live screens. */
function listEvents(item: Item): readonly StreamEvent[] {
  const response = { id: createId("resp"), object: "response", status: "in_progress", output: [], usage: null };
  return [
    { type: "response.created", response },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { ...response, status: "completed", output: [item], usage: USAGE } },
  ];
}

function formatFrame(event: StreamEvent, index: number): string {
  return `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`;
}

function createId(kind: string): string {
  return `${kind}_${crypto.randomUUID().replaceAll("-", "")}`;
}
