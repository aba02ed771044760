import { z } from "zod";
import type { Failure } from "../../core/failure.ts";

export const STATUSES = ["DONE", "NEEDS_REVISION", "ERROR"] as const;
export type Status = (typeof STATUSES)[number];

/** The contract is the last line of the final message: `DONE: …`, `NEEDS_REVISION: …` or `ERROR: …`. */
export const Line = z.object({
  line: z.enum(STATUSES, { error: `expected ${STATUSES.join(", ")}` }),
  message: z.string().min(1, { error: "expected a few words after the colon" }),
  /** What the final message says before that line; lessons are read from it. */
  above: z.string().optional(),
});
export type Line = z.infer<typeof Line>;

/** A second try would meet the same: it is not made. */
const DETERMINISTIC = /^(missing input|red build)\b/i;

/** ERROR, and whatever the agent may not say, has failed its dispatch: that is what gets it its one retry. */
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
