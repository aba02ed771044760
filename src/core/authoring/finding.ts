import { z } from "zod";

export const SEVERITIES = ["blocker", "critical", "major", "minor"] as const;

/** What reviewers, rules and people give back. */
export const Finding = z.object({
  severity: z.enum(SEVERITIES),
  message: z.string().min(1),
  files: z.array(z.string()).readonly().optional(),
  by: z.string().optional(),
  /** Tests that show it, by name, where a check found it. */
  tests: z.array(z.string()).readonly().optional(),
  /** Head and tail of what that check printed: whoever mends it reads this first. */
  output: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;
