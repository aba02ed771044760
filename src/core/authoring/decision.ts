import { z } from "zod";
import { Finding } from "./finding.ts";

/** One type for every judgement, whoever made it: rules, people, reviewers. */
export const Decision = z.object({
  /** The key of the step that made it; `commit` looks it up, so a decision cannot be made up. */
  id: z.string(),
  /** The gate's name: a later decision of the same gate replaces this one. */
  gate: z.string(),
  passed: z.boolean(),
  /** Worse than not passed: nothing may be committed while it stands. */
  blocked: z.boolean(),
  findings: z.array(Finding).readonly(),
  score: z.number().optional(),
  /** The tree that the decision speaks of, where it speaks of one. */
  tree: z.string().optional(),
});
export type Decision = z.infer<typeof Decision>;
