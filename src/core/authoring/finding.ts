import { z } from "zod";

export const SEVERITIES = ["blocker", "critical", "major", "minor"] as const;

/** Result item of a reviewer, a rule or a person. */
export const Finding = z.object({
  severity: z.enum(SEVERITIES),
  message: z.string().min(1),
  files: z.array(z.string()).readonly().optional(),
  by: z.string().optional(),
  /** Names of the tests that show the problem, if a check found it. */
  tests: z.array(z.string()).readonly().optional(),
  /** Start and end of the check's output, which is what the fixing agent reads first. */
  output: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;
