import { z } from "zod";
import type { Failure } from "../../core/failure/failure.ts";

export const STATUSES = ["DONE", "NEEDS_REVISION", "ERROR"] as const;
export type Status = (typeof STATUSES)[number];

const message = z.string().min(1, { error: "expected a few words after the colon" });
/** What the final message says before that line; lessons are read from it. */
const above = z.string().optional();

/** The contract is the last line of the final message; its form shows the words that this agent may say. */
export function lineOf(...may: readonly Status[]): z.ZodType<Line> {
  const words = STATUSES.filter((word) => word === "ERROR" || may.includes(word));
  return z.object({ line: z.enum(words, { error: `expected ${words.join(" or ")}` }), message, above });
}
export type Line = { readonly line: Status; readonly message: string; readonly above?: string | undefined };

/** A second try would meet the same: it is not made. */
const DETERMINISTIC = /^(missing input|red build)\b/i;

/**
 * ERROR, and whatever the agent may not say, has failed its dispatch: that is what gets it its one retry.
 * @rule C-04 (policy) An ERROR is tried once more, unless a second try would meet the same; an objection is never tried
 *   again.
 */
export function unless(...may: readonly Status[]): (answer: Line) => Failure | undefined {
  return ({ line, message }) => {
    if (line === "ERROR") {
      return { class: DETERMINISTIC.test(message) ? "deterministic" : "transient", code: "agent_error", message };
    }
    if (may.includes(line)) return undefined;
    return {
      class: "contract",
      code: "status_not_allowed",
      message: `${line} is no answer of this agent: ${message}`,
    };
  };
}
