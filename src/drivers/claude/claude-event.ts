import { z } from "zod";

/** Lines of `claude -p --output-format stream-json` and of the client that are used; others are ignored. */
const Block = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("tool_use"), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.string().refine((type) => type !== "text" && type !== "tool_use") }),
]);
export type ClaudeBlock = z.infer<typeof Block>;

const Tokens = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
});

const System = z.discriminatedUnion("subtype", [
  z.object({ type: z.literal("system"), subtype: z.literal("init"), session_id: z.string() }),
  z.object({
    type: z.literal("system"),
    subtype: z.literal("api_retry"),
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullish(),
    error: z.string().nullish(),
  }),
  z.object({
    type: z.literal("system"),
    subtype: z.literal("permission_denied"),
    tool_name: z.string(),
    message: z.string(),
  }),
]);

const ClaudeEvent = z.union([
  System,
  /** The client's own line about a refused tool. */
  z
    .object({ client: z.literal("refused"), tool: z.string(), why: z.string() })
    .transform(({ tool, why }) => ({ type: "refused" as const, tool, why })),
  z.object({
    type: z.literal("assistant"),
    message: z.object({ content: z.array(Block) }),
    /** Set for messages of a subagent. */
    parent_tool_use_id: z.string().nullish(),
    /** Set only on the message that replaces a failed request. */
    error: z.string().optional(),
  }),
  z.object({
    type: z.literal("rate_limit_event"),
    rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().nullish() }),
  }),
  z.object({
    type: z.literal("result"),
    subtype: z.string(),
    is_error: z.boolean(),
    session_id: z.string(),
    result: z.string().optional(),
    errors: z.array(z.string()).optional(),
    api_error_status: z.number().nullish(),
    structured_output: z.json().optional(),
    usage: Tokens.optional(),
    total_cost_usd: z.number().optional(),
    model_usage_since_last_result: z.record(z.string(), z.object({ costUSD: z.number() })).optional(),
  }),
]);
export type ClaudeEvent = z.infer<typeof ClaudeEvent>;
/**
 * Uses `catch` instead of a failed parse: the errors of many unknown lines are garbage-collected too late and fill the
 * memory.
 */
const KnownEvent = ClaudeEvent.optional().catch(undefined);
export type ClaudeResult = Extract<ClaudeEvent, { type: "result" }>;

/** Returns undefined for banners, truncated lines and irrelevant events. */
export function parseClaudeEvent(line: string): ClaudeEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRelevant(value) ? KnownEvent.parse(value) : undefined;
  } catch {
    return undefined;
  }
}

const KINDS: readonly unknown[] = ["system", "assistant", "rate_limit_event", "result"];

/** A cheap test first: rejecting a value against the union takes a hundred times as long as parsing it. */
function isRelevant(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "client" in value || ("type" in value && KINDS.includes(value.type));
}
