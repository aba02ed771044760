import { z } from "zod";

export const STATUSES = ["DONE", "NEEDS_REVISION", "ERROR"] as const;
export type Status = (typeof STATUSES)[number];

/**
 * The contract is one line, `DONE: …`, `NEEDS_REVISION: …` or `ERROR: …`. An agent that says what it may not
 * say, or ERROR, has failed its dispatch: that is what gets it its one retry.
 */
export function lineOf<const S extends Status>(...may: readonly S[]) {
  return z
    .object({ status: z.enum(STATUSES), summary: z.string() })
    .refine((line): line is { status: S; summary: string } => may.some((status) => status === line.status), {
      error: (issue) => {
        // The refinement runs on what the object schema before it let through.
        const { status, summary } = issue.input as { status: Status; summary: string };
        return status === "ERROR" ? `ERROR: ${summary}` : `${status} is no answer of this agent: ${summary}`;
      },
    });
}

export type Line = { readonly status: Status; readonly summary: string };
