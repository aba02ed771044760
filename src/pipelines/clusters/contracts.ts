import { z } from "zod";
import type { Failure } from "../../core/failure/failure.ts";

export const STATUSES = ["DONE", "NEEDS_REVISION", "ERROR"] as const;
export type Status = (typeof STATUSES)[number];

const message = z.string().min(1, { error: "expected a few words after the colon" });
/** Text of the final message before the last line; lessons are read from it. */
const above = z.string().optional();

/** Builds the contract: the last line of the final message, with the statuses that this agent may return. */
export function createLineContract(...may: readonly Status[]): z.ZodType<LineAnswer> {
  const words = STATUSES.filter((word) => word === "ERROR" || may.includes(word));
  return z.object({ line: z.enum(words, { error: `expected ${words.join(" or ")}` }), message, above });
}
export type LineAnswer = { readonly line: Status; readonly message: string; readonly above?: string | undefined };

/** Errors that a retry would repeat. */
const DETERMINISTIC = /^(missing input|red build)\b/i;

/**
 * Converts ERROR, or a status that the agent may not return, into a failed dispatch, so that it is retried once.
 * @rule C-04 (policy) An ERROR is retried once, unless a retry would fail the same way (red build, missing input).
 *   NEEDS_REVISION is never retried.
 */
export function failUnless(...may: readonly Status[]): (answer: LineAnswer) => Failure | undefined {
  return ({ line, message }) => {
    if (line === "ERROR") {
      return { class: DETERMINISTIC.test(message) ? "deterministic" : "transient", code: "agent_error", message };
    }
    if (may.includes(line)) return undefined;
    return {
      class: "contract",
      code: "status_not_allowed",
      message: `${line} is not a status of this agent: ${message}`,
    };
  };
}
