import { z } from "zod";
import type { Reply, WireApi } from "./play.ts";
import { ToolSchema, toolWith } from "./tool-schema.ts";

/** Google's generateContent, streaming and as a single response. */
export function geminiApi(): WireApi {
  return {
    endpoints: [STREAMING, ":generateContent"],
    read(body, path) {
      const { tools, contents } = Request.parse(body);
      const prompts = contents
        .filter((content) => content.role === "user")
        .map(({ parts }) => parts.flatMap((part) => part.text ?? []).join("\n"));
      return {
        tools: tools
          .flatMap((group) => group.functionDeclarations)
          .map((tool) => toolWith(tool.name, tool.parametersJsonSchema ?? tool.parameters)),
        prompt: prompts.at(-1) ?? "",
        prompts,
        results: contents.flatMap(({ parts }) => parts).filter((part) => part.functionResponse !== undefined).length,
        stream: path.endsWith(STREAMING),
      };
    },
    // Two pieces, so that a connection can be cut between them.
    frames: (reply) => [formatFrame({ candidates: [] }), formatFrame(answer(reply))],
    whole: answer,
    refusal: (code, message) => ({ error: { code, message, status: STATUSES[code] ?? "UNKNOWN" } }),
  };
}

const STREAMING = ":streamGenerateContent";
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

const Declaration = z.looseObject({
  name: z.string(),
  parametersJsonSchema: ToolSchema.optional(),
  parameters: ToolSchema.optional(),
});
const Request = z.looseObject({
  tools: z.array(z.looseObject({ functionDeclarations: z.array(Declaration).default([]) })).default([]),
  contents: z
    .array(
      z.looseObject({
        role: z.string().optional(),
        parts: z
          .array(z.looseObject({ text: z.string().optional(), functionResponse: z.unknown().optional() }))
          .default([]),
      }),
    )
    .default([]),
});

function answer(reply: Reply) {
  const part =
    "say" in reply
      ? { text: reply.say }
      : { functionCall: { id: crypto.randomUUID(), name: reply.call, args: "args" in reply ? reply.args : {} } };
  return {
    candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [part] } }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: "scripted",
  };
}

/** Escapes these separators, because Google's own client reads them as line ends. */
function formatFrame(value: unknown): string {
  const text = JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return `data: ${text}\r\n\r\n`;
}
