import { z } from "zod";
import type { Reply, WireApi } from "./play.ts";
import { ToolSchema, toolWith } from "./tool-schema.ts";

/** OpenAI's Chat Completions API, which most agent programs can use with a custom model. */
export function chatApi(): WireApi {
  return {
    endpoints: ["/chat/completions"],
    read(body) {
      const { tools, messages, stream } = Request.parse(body);
      const prompts = messages
        .filter((message) => message.role === "user")
        .map(({ content }) => readText(content ?? ""));
      return {
        tools: tools.map((tool) => toolWith(tool.function.name, tool.function.parameters)),
        prompt: prompts.at(-1) ?? "",
        prompts,
        results: messages.filter((message) => message.role === "tool").length,
        stream,
      };
    },
    frames: (reply) => [...listChunks(reply).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"],
    whole: (reply) => ({
      ...head("chat.completion"),
      choices: [{ index: 0, finish_reason: finishOf(reply), message: { role: "assistant", ...formatMessage(reply) } }],
      usage: USAGE,
    }),
    refusal: (status, message) => ({ error: { message, type: "scripted", code: String(status), param: null } }),
  };
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function readText(content: string | readonly z.infer<typeof Part>[]): string {
  return typeof content === "string" ? content : content.flatMap((part) => part.text ?? []).join("\n");
}

const Part = z.looseObject({ text: z.string().optional() });
const Request = z.looseObject({
  tools: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string(), parameters: ToolSchema.optional() }) }))
    .default([]),
  messages: z
    .array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Part)]).nullish() }))
    .default([]),
  stream: z.boolean().default(false),
});

function listChunks(reply: Reply): readonly unknown[] {
  const chunk = (delta: unknown, finish: string | null = null) => ({
    ...head("chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return [
    chunk({ role: "assistant", content: "" }),
    chunk(formatMessage(reply)),
    chunk({}, finishOf(reply)),
    { ...head("chat.completion.chunk"), choices: [], usage: USAGE },
  ];
}

function formatMessage(reply: Reply): Readonly<Record<string, unknown>> {
  if ("say" in reply) return { content: reply.say };
  const text = "args" in reply ? JSON.stringify(reply.args) : reply.input;
  const id = `call_${crypto.randomUUID().replaceAll("-", "")}`;
  return { tool_calls: [{ index: 0, id, type: "function", function: { name: reply.call, arguments: text } }] };
}

function finishOf(reply: Reply): string {
  return "say" in reply ? "stop" : "tool_calls";
}

function head(object: string) {
  return { id: "chatcmpl-scripted", object, created: 1, model: "scripted" };
}
