import { z } from "zod";

/** The lines of `codex exec --json` that mean something to us; what is not listed is passed over. */
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
/** Not by a failed parse: the errors of a flood of strange lines are collected too late, and fill the memory. */
const Known = CodexEvent.optional().catch(undefined);

/** Undefined for banners, cut lines and events of no interest, among them items of type `error`: mere warnings. */
export function codexEvent(line: string): CodexEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return Known.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
