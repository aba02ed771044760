import { z } from "zod";

export const SEVERITIES = ["blocker", "critical", "major", "minor"] as const;

/** What reviewers, rules and people give back. */
export const Finding = z.object({
  severity: z.enum(SEVERITIES),
  message: z.string().min(1),
  files: z.array(z.string()).readonly().optional(),
  by: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;
