import { z } from "zod";
import { Finding } from "./finding.ts";

/** Judgement of a rule, a person or a reviewer. All of them share this type. */
export const Decision = z.object({
  /** Key of the step that made the decision. `commit` looks it up, so a decision cannot be forged. */
  id: z.string(),
  /** Name of the gate. A later decision of the same gate replaces this one. */
  gate: z.string(),
  passed: z.boolean(),
  /** Stronger than not passed: nothing may be committed while the decision stands. */
  blocked: z.boolean(),
  findings: z.array(Finding).readonly(),
  score: z.number().optional(),
  /** Tree that was judged, if the decision is about a tree. */
  tree: z.string().optional(),
});
export type Decision = z.infer<typeof Decision>;
