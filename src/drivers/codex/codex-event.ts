import { z } from "zod";

/** Lines of `codex exec --json` that are used; others are ignored. */
const Item = z.discriminatedUnion("type", [
  z.object({ type: z.literal("agent_message"), text: z.string() }),
  z.object({ type: z.literal("command_execution"), command: z.string() }),
  z.object({ type: z.literal("file_change"), changes: z.array(z.object({ path: z.string(), kind: z.string() })) }),
  z.object({ type: z.literal("mcp_tool_call"), server: z.string(), tool: z.string() }),
  z.object({ type: z.literal("web_search"), query: z.string() }),
]);
export type CodexItem = z.infer<typeof Item>;

const CodexEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({ type: z.literal("item.started"), item: Item }),
  z.object({ type: z.literal("item.completed"), item: Item }),
  z.object({
    type: z.literal("turn.completed"),
    usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).optional(),
  }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);
export type CodexEvent = z.infer<typeof CodexEvent>;
/**
 * Uses `catch` instead of a failed parse: the errors of many unknown lines are garbage-collected too late and fill the
 * memory.
 */
const KnownEvent = CodexEvent.optional().catch(undefined);

/**
 * Returns undefined for banners, truncated lines and irrelevant events, including items of type `error`, which are only
 * warnings.
 */
export function parseCodexEvent(line: string): CodexEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return KnownEvent.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
