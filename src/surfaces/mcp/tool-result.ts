import type { CallToolResult } from "@modelcontextprotocol/server";
import { SignalboxError } from "../../core/failure/errors.ts";

/** Formats a value as JSON in a text content block, which models read. */
export const toToolResult = (value: unknown): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value ?? null, null, 2) }],
});

/** Returns a refusal as a tool result with its message and hint. */
export async function catchRefusal(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } =
      error instanceof SignalboxError ? error : { code: "INTERNAL", message: String(error), hint: "" };
    return { ...toToolResult({ error: code, message, hint }), isError: true };
  }
}
