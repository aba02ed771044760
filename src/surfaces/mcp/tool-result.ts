import type { CallToolResult } from "@modelcontextprotocol/server";
import { SignalboxError } from "../../core/failure/errors.ts";

/** JSON for programs, in the text that models read. */
export const told = (value: unknown): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value ?? null, null, 2) }],
});

/** A refusal is an answer too: what happened, and what to do next. */
export async function orRefusal(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } =
      error instanceof SignalboxError ? error : { code: "INTERNAL", message: String(error), hint: "" };
    return { ...told({ error: code, message, hint }), isError: true };
  }
}
