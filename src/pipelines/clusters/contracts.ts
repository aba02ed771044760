import { z } from "zod";

export const STATUSES = ["DONE", "NEEDS_REVISION", "ERROR"] as const;
export type Status = (typeof STATUSES)[number];

/**
 * The contract is one line, `DONE: …`, `NEEDS_REVISION: …` or `ERROR: …`. An agent that says what it may not
 * say, or ERROR, has failed its dispatch: that is what gets it its one retry.
 */
export function lineOf<const S extends Status>(...may: readonly S[]) {
  return z
    .object({ line: z.enum(STATUSES), message: z.string() })
    .refine((said): said is { line: S; message: string } => may.some((line) => line === said.line), {
      error: (issue) => {
        // The refinement runs on what the object schema before it let through.
        const { line, message } = issue.input as Line;
        return line === "ERROR" ? `ERROR: ${message}` : `${line} is no answer of this agent: ${message}`;
      },
    });
}

export type Line = { readonly line: Status; readonly message: string };
